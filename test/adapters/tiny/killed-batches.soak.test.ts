import { killedBatches, survivesKills } from '../../promises/survives-kills.ts';
import { until } from '../../support/until.ts';
import { startTiny } from './start-tiny.ts';

// With a store that several processes share, as in Saltcorn and NocoBase: a batch counts as interrupted when its lease has ended.

const batches = killedBatches(1, 2);

const words: Record<string, string> = { done: 'sent', 'already-done': 'skipped' };

async function open(settings: object) {
  const { post, kill, entries } = await startTiny();
  await post('/save', settings);

  /** The outcomes of a started batch, from the store. */
  function outcomesOf(key: string): string[] {
    const [, entry] = entries().find(([kind, one]) => kind === 'batches' && one.key === key) ?? [];
    const { id } = Object(entry?.value).log;
    const rows = entries().filter(([kind, one]) => kind === 'batch rows' && one.index === id);
    const items = rows.flatMap(([, { value }]) => value as { outcome: string }[]);
    return items.map(({ outcome }) => words[outcome] ?? outcome);
  }

  async function previewed(
    rows: { id: string }[],
  ): Promise<{ key: string; label: string; text: string }> {
    const form = { from: ['+14155550100'], to: [{ column: 'phone' }], body: ['Hello'] };
    await post('/rows', rows);
    const values = { action: 'send-sms', form, shown: rows.map(({ id }) => id) };
    let shown = { key: '', label: '', text: '' };
    await until(async () => {
      shown = JSON.parse(await post('/preview', values));
      return !shown.text?.includes('A batch that is in progress sends this');
    });
    return shown;
  }

  return {
    async openPreview(rows: { id: string }[]) {
      const { key, label, text } = await previewed(rows);
      const isOver = text.includes(`Skipping ${rows.length} rows: already sent.`);
      return {
        preview: { label: isOver ? '' : label, outcomes: isOver ? rows.map(() => 'skipped') : [] },
        start: async () => void (await post('/start', { key })),
        async result() {
          await until(async () => !(await post('/see', { key })).includes('"state":"running"'));
          return { label: '', outcomes: outcomesOf(key) };
        },
      };
    },
    kill,
  };
}

test(
  `no one gets a message twice in ${batches} batches that are killed, and outcomes agree with the log`,
  async () => {
    const { kills } = await survivesKills(open, batches);
    expect(kills).toBeGreaterThanOrEqual(batches);
  },
  60_000 + batches * 60_000,
);
