import { seededRandom } from '../../demo/sandbox/random.ts';
import { connect, type PollEvents, pollEvents, type Telephony } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { size } from '../support/size.ts';
import { Disk, deliveryLogOnDisk, handleEvent, Process } from './delivery-log-on-disk.ts';

const messages = size(450, 2_500);
const [customer, ours] = ['+12025550143', '+14155550100'];
const random = seededRandom(4_711);
const below = (limit: number) => Math.floor(random() * limit);

interface App {
  process: Process;
  poll: PollEvents;
}

/** The app's further state on disk. */
interface AppState {
  cursor?: string;
  /** After how many more steps the process is killed. */
  left: number;
}

/** Starts the app on its disk. One of fifty events fails in its handler. */
function start(telephony: Telephony, disk: Disk, state: AppState, id: number): App {
  const process = new Process(id);
  /** A step at which the process may be killed. */
  const step = () => {
    state.left -= 1;
    if (state.left === 0) process.kill();
    return process.step();
  };
  const poll = pollEvents(telephony, {
    events: ['sms-received', 'message-status'],
    deliveryLog: deliveryLogOnDisk(disk, process),
    cursor: {
      read: () => state.cursor,
      async write(cursor) {
        await step();
        state.cursor = cursor;
      },
    },
    async onEvent(event, { identity }) {
      await step();
      if (below(50) === 0) throw new Error('The database is locked.');
      handleEvent(disk, event, identity);
      await step();
    },
  });
  return { process, poll };
}

async function happen(sandbox: Sandbox, telephony: Telephony) {
  for (let count = 10 + below(30); count > 0; count -= 1)
    if (below(4) > 0) sandbox.receiveMessage({ from: customer, to: ours, body: 'Hello' });
    else await telephony.run('send-sms', { from: ours, to: customer, body: 'Hello' });
  sandbox.pass(below(3));
}

test(
  `polling delivers each event of ${messages} messages once, despite crashes, and ends with the last status`,
  async () => {
    const sandbox = await openSandbox({ now: new Date('2026-11-20T23:00:00Z') });
    const { username, password, url: baseUrl } = sandbox;
    const telephony = connect({ username, password, baseUrl, limits: { maxAttempts: 1 } });
    const before = sandbox.messages.length;
    const [disk, state]: [Disk, AppState] = [new Disk(), { left: 0 }];
    let app = start(telephony, disk, state, 1);
    await app.poll();
    const ends = { delivered: 0, failed: 0, killed: 0 };

    async function ask() {
      state.left = below(4) === 0 ? 1 + below(60) : 0;
      const polled = app.poll().then(
        () => 'delivered' as const,
        () => 'failed' as const,
      );
      const end = await Promise.race([polled, app.process.ended.then(() => 'killed' as const)]);
      ends[end] += 1;
      if (end === 'killed') app = start(telephony, disk, state, app.process.id + 1);
    }

    while (sandbox.messages.length - before < messages) {
      await happen(sandbox, telephony);
      if (below(5) === 0)
        sandbox.faults.add({ name: 'reset-after', path: 'Messages', method: 'GET' });
      await ask();
    }
    sandbox.pass(60);
    for (let count = 0; count < 20; count += 1) await ask();

    // There were failures and kills.
    expect(Object.values(ends).every((count) => count >= 5)).toBe(true);
    expect(new Set(disk.deliveredKeys).size).toBe(disk.deliveredKeys.length);
    const happened = sandbox.messages
      .slice(0, -before)
      .map(({ sid, status, direction }) => [
        `${direction === 'inbound' ? 'sms-received' : 'message-status'} ${sid}`,
        status,
      ]);
    expect([...disk.statuses].sort()).toEqual(happened.sort());
  },
  size(120_000, 600_000),
);
