import type { BatchView } from '../../../src/builder.ts';
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
  const { admin, pid, restart } = await startNocobase(settings);
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const texts = ['name', 'phone'].map((name) => ({ name, type: 'string', interface: 'input' }));
  await admin.request('collections:create', {
    ...{ name: 'people', autoGenId: false, template: 'general', fields: [id, ...texts] },
  });
  const keys = new Map<string, unknown>();
  const call = (step: string, values: object) =>
    admin.request(`telephonyRuns:${step}`, values) as Promise<BatchView>;

  return {
    async openPreview(rows: { id: string; name: string; phone: string }[]) {
      for (const { id, ...values } of rows)
        if (!keys.has(id)) {
          const row = (await admin.request('people:create', values)) as { id: unknown };
          keys.set(id, row.id);
        }
      const shown = (view: BatchView): ShownBatch => ({
        label: view.counts.waiting > 0 ? String(view.counts.waiting) : '',
        outcomes: outcomesOf(rows, view),
      });
      const asked = await call('preview', {
        ...{ action: 'send-sms', dataSource: 'main', collection: 'people' },
        rows: rows.map(({ id }) => keys.get(id)),
        input: { from: ['+14155550100'], to: [{ column: 'phone' }], body: ['Hello'] },
      });
      const { key } = asked;
      return {
        preview: shown(asked),
        start: async () => void (await call('start', { key })),
        async result() {
          await until(async () => (await call('see', { key })).state === 'ended');
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
