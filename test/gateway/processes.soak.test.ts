import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { addKey } from '../../plugin/gateway/keys.ts';
import { openStore } from '../../plugin/gateway/store.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { size } from '../support/size.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { type Answer, callerAt, everything, sendPath, smsTo } from './open-gateway.ts';
import { startGateway, variablesOf } from './start-gateway.ts';

const actions = Number(process.env.ACTIONS ?? size(300, 1_500));
const kills = Math.ceil(actions / 37);
const clients = 20;

test(
  'two processes that are killed, and answers that get lost: each action is sent once, and each client learns how it ended',
  async () => {
    const program = bundleProgram('test/gateway/impatient-gateway.ts');
    const [sandbox, databaseUrl] = await Promise.all([openSandbox(), startPostgres()]);
    sandbox.messages.length = 0;
    const lost = { method: 'POST', probability: 0.1, times: Number.MAX_SAFE_INTEGER };
    sandbox.faults.add({ name: 'reset-after', ...lost });
    sandbox.faults.add({ name: 'rate-limited', ...lost });
    const { store, close } = openStore({ databaseUrl, databaseFile: '' });
    closeAfterwards({ close });
    const rights = { ...everything, limits: { perHour: 1_000_000 } };
    const { text } = await addKey(store, 'clients', rights);
    const variables = variablesOf(sandbox, databaseUrl);
    const processes = await Promise.all([1, 2].map(() => startGateway(program, variables)));

    let left = actions;
    /** Sends an action until its outcome is known, and sometimes once more. */
    async function send(index: number): Promise<Answer | undefined> {
      const to = `+1202${5_550_000 + index}`;
      const headers = { 'idempotency-key': `action ${index}` };
      let answer: Answer | undefined;
      // Each attempt at an unknown outcome looks at the log for seconds.
      for (let unknowns = 0; unknowns < 2; ) {
        const call = callerAt(processes[randomInt(2)]?.url ?? '', text);
        const got = await call(sendPath, { body: smsTo(to), headers }).catch(() => undefined);
        if (got?.status === 200) {
          answer = got;
          if (randomInt(3) > 0) return answer;
        } else {
          // What one process knows to be sent can't become unknown.
          if (got?.status === 502) {
            answer ??= got;
            unknowns += 1;
          }
          await setTimeout(randomInt(20, 600));
        }
      }
      return answer;
    }
    const answers: (Answer | undefined)[] = [];
    async function client() {
      while (left > 0) {
        left -= 1;
        const index = left;
        answers[index] = await send(index);
      }
    }
    async function kill() {
      for (let count = 0; count < kills; count += 1) {
        const before = left;
        while (left > 0 && left > before - actions / (kills + 1)) await setTimeout(5);
        await processes[count % 2]?.killAndStart();
      }
    }
    await Promise.all([kill(), ...Array.from({ length: clients }, client)]);

    const messages = new Map<string, string[]>();
    for (const { to, sid } of sandbox.messages)
      messages.set(to, [...(messages.get(to) ?? []), sid]);
    const ends = answers.map((answer, index) => {
      const sids = messages.get(`+1202${5_550_000 + index}`) ?? [];
      if (answer?.status === 200)
        return sids.length === 1 && sids[0] === answer.body.sid ? 'sent once' : `wrong: ${sids}`;
      // A process that was killed right before it sent leaves the outcome unknown.
      const isUnknown = answer?.body.code === 'unknown-outcome' && sids.length === 0;
      return isUnknown ? 'unknown, not sent' : `wrong: ${answer?.status} ${sids}`;
    });
    const countOf = (end: string) => ends.filter((one) => one === end).length;
    const unknown = countOf('unknown, not sent');
    expect(ends.filter((end) => end.startsWith('wrong'))).toEqual([]);
    expect(countOf('sent once') + unknown).toBe(actions);
    // Of the actions in progress at a kill, few are in that moment.
    expect(unknown).toBeLessThanOrEqual((clients / 5) * kills);
    expect(sandbox.messages).toHaveLength(countOf('sent once'));
  },
  60_000 + actions * 600,
);
