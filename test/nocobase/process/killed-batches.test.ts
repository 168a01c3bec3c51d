import pLimit from 'p-limit';
import type { BatchView } from '../../../src/builder.ts';
import {
  type ManyRow,
  manyRows,
  manyRowsMs,
  sendsManyRows,
} from '../../promises/sends-many-rows.ts';
import { killedBatches, type ShownBatch, survivesKills } from '../../promises/survives-kills.ts';
import { until } from '../../support/until.ts';
import { applicationOf } from '../application-of.ts';
import { startNocobase, startTimeoutMs } from '../nocobase-server.ts';

/** Skipped unless `BATCHES=10`, for example, is set: each kill takes as long as a start of NocoBase. */
const batches = killedBatches(0, 0);

/** The outcome of each row, by the names that a batch shows. */
function outcomesOf(rows: { name: string; phone: string }[], view: BatchView): string[] {
  const { counts, done, problems } = view;
  const outcomes = new Map(done.map((who) => [who, 'sent']));
  for (const { outcome, who } of problems) for (const name of who) outcomes.set(name, outcome);
  // The view names no rows that are waiting or were sent before.
  const other = counts.waiting > 0 ? 'waiting' : 'skipped';
  const found = rows.map(({ name, phone }) => outcomes.get(`${name} (${phone})`) ?? other);
  const isWhole =
    counts.waiting > 0 || found.filter((one) => one === other).length === counts['already-done'];
  if (!isWhole) throw new Error(`The counts don't fit the rows: ${JSON.stringify(view)}`);
  return found;
}

/** Starts a NocoBase with a table of people. */
async function open(settings: object) {
  const server = await startNocobase(settings);
  const { admin, pid, restart } = server;
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const texts = ['name', 'phone'].map((name) => ({ name, type: 'string', interface: 'input' }));
  await admin.request('collections:create', {
    ...{ name: 'people', autoGenId: false, template: 'general', fields: [id, ...texts] },
  });
  const keys = new Map<string, unknown>();
  const call = (step: string, values: object) =>
    admin.request(`telephonyRuns:${step}`, values) as Promise<BatchView>;

  /** Stores the rows that are new, and previews all. */
  async function preview(rows: ManyRow[]): Promise<BatchView> {
    await pLimit(5).map(rows, async ({ id, ...values }) => {
      if (keys.has(id)) return;
      const row = (await admin.request('people:create', values)) as { id: unknown };
      keys.set(id, row.id);
    });
    return call('preview', {
      ...{ action: 'send-sms', dataSource: 'main', collection: 'people' },
      rows: rows.map(({ id }) => keys.get(id)),
      input: { from: ['+14155550100'], to: [{ column: 'phone' }], body: ['Hello'] },
    });
  }

  return {
    server: { home: server.home, pid: () => applicationOf(pid()) },
    ...{ preview, call },
    async openPreview(rows: ManyRow[]) {
      const shown = (view: BatchView): ShownBatch => ({
        label: view.counts.waiting > 0 ? String(view.counts.waiting) : '',
        outcomes: outcomesOf(rows, view),
      });
      const asked = await preview(rows);
      const { key } = asked;
      return {
        preview: shown(asked),
        start: async () => void (await call('start', { key })),
        async result() {
          await until(async () => (await call('see', { key })).state !== 'running');
          return shown(await call('see', { key }));
        },
      };
    },
    kill: () => restart('SIGKILL', applicationOf(pid())),
  };
}

(batches > 0 ? test : test.skip)(
  `no one gets a message twice in batches that are killed, and outcomes agree with the log (with BATCHES only)`,
  async () => {
    const { kills, ...found } = await survivesKills(open, batches);
    expect(kills).toBeGreaterThanOrEqual(batches);
    // Some were sent before a kill, and some after it.
    expect(found.skipped).toBeGreaterThan(0);
    expect(found.sent).toBeGreaterThan(0);
  },
  startTimeoutMs + batches * 300_000,
);

/** Skipped unless `ROWS=20000`, for example, is set: storing the rows takes longer than texting them. */
const rows = manyRows(0, 0);

(rows > 0 ? test : test.skip)(
  'texts each of many rows once (with ROWS only)',
  () =>
    sendsManyRows(async (settings) => {
      const { server, preview, call } = await open(settings);
      let batch: BatchView | undefined;
      return {
        server,
        async start(all) {
          batch = await preview(all);
          await call('start', { key: batch.key });
        },
        async outcomes() {
          const { state, counts } = await call('see', { key: batch?.key });
          if (state !== 'ended') return undefined;
          const words = { ...counts, sent: counts.done, done: 0 };
          return Object.entries(words).flatMap(([word, count]) => Array(count).fill(word));
        },
      };
    }, rows),
  startTimeoutMs + manyRowsMs(rows),
);
