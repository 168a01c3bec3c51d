import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { seededRandom } from '../../../demo/sandbox/random.ts';
import { doorTo } from '../../support/door.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { size } from '../../support/size.ts';
import { until } from '../../support/until.ts';
import { account, askForBatch, batchFlow } from '../batch-flow.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const rounds = size(2, 10);
const perBatch = 40;
const random = seededRandom(Number(process.env.SEED ?? 28));
const upTo = (most: number) => Math.floor(random() * most);

test(
  `no one gets a message twice, and outcomes agree with the message log, in ${rounds} batches that are killed`,
  async () => {
    const sandbox = await openSandbox();
    sandbox.messages.length = 0;
    const door = await doorTo(sandbox.url);
    door.keeper = (_from, to, letThrough) => {
      // Responses are lost at each stage: before the message arrives, and after it.
      const wait = upTo(40);
      void setTimeout(wait).then(() => (to.destroyed ? undefined : letThrough()));
    };
    const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
    const post = async (path: string, body: object, headers = {}) => {
      const options = { method: 'POST', body: JSON.stringify(body) };
      const type = { 'content-type': 'application/json', ...headers };
      return (await fetch(server.url + path, { ...options, headers: type })).text();
    };
    const starts = () => server.written().split('Started flows').length;
    const before = starts();
    const { username, password } = sandbox;
    const settings = { username, baseUrl: door.url, credentials: { password } };
    await post('/flows', [
      { id: account, type: 'telephony-account', ...settings },
      { id: 'app', type: 'tab', label: 'App' },
      ...batchFlow,
    ]);
    await until(() => starts() > before);

    /** Ends Node-RED as a crash does, and starts it again. */
    async function kill() {
      const before = starts();
      await server.restart('SIGKILL');
      await until(() => starts() > before);
    }

    const messagesTo = (phone: string) => sandbox.messages.filter(({ to }) => to === phone).length;
    const found = new Map<string, number>();
    for (let round = 0; round < rounds; round += 1) {
      const rows = Array.from({ length: perBatch }, (_, id) => ({
        ...{ id: `${round}-${id}`, name: `Row ${id}` },
        phone: `+1202${String(5_560_000 + round * perBatch + id)}`,
      }));
      const isReached = () => rows.filter(({ phone }) => messagesTo(phone) > 0).length;
      for (const kills of Array.from({ length: 1 + upTo(2) }).keys()) {
        const { preview, begin } = await askForBatch(post, rows);
        if (!preview?.label) break;
        const moment = isReached() + upTo(perBatch / 2);
        await begin();
        await until(() => isReached() >= moment || isReached() === perBatch);
        await setTimeout(upTo(30));
        found.set('kills', (found.get('kills') ?? 0) + 1);
        expect(kills).toBeLessThan(2);
        await kill();
      }
      // The same message again: only the rows that are left are sent.
      const { preview, said, begin, result } = await askForBatch(post, rows);
      if (!preview) throw new Error(said);
      if (preview.label) await begin();
      const ended = preview.label ? await result() : preview;
      const wrong = (ended.rows ?? []).filter(({ outcome }, index) => {
        const count = messagesTo(rows[index]?.phone ?? '');
        found.set(outcome, (found.get(outcome) ?? 0) + 1);
        return count !== (['sent', 'skipped'].includes(outcome) ? 1 : 0);
      });
      expect(wrong).toEqual([]);
      expect(ended.rows?.map(({ key }) => key)).toEqual(rows.map(({ id }) => id));
      const outcomes = new Set(ended.rows?.map(({ outcome }) => outcome));
      expect([...outcomes].filter((one) => !['sent', 'skipped', 'unknown'].includes(one))).toEqual(
        [],
      );
    }
    expect(found.get('kills')).toBeGreaterThanOrEqual(rounds);
    // Some were sent before a kill, and some after it.
    expect(found.get('skipped')).toBeGreaterThan(0);
    expect(found.get('sent')).toBeGreaterThan(0);
  },
  size(120_000, 900_000),
);
