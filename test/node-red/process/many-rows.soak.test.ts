import { manyRows, manyRowsMs, sendsManyRows } from '../../promises/sends-many-rows.ts';
import { openBatchFlow, previewBatch } from '../batch-flow.ts';

const rows = manyRows(300, 2_000);

async function open(settings: { password: string }) {
  // The default limit would end the batch: a flow may start it without a person looking.
  const account = { ...settings, perHour: String(rows) };
  const { server, post } = await openBatchFlow(account, { limit: String(rows) });
  let shown: Awaited<ReturnType<typeof previewBatch>>['shown'] | undefined;
  return {
    server,
    async start(rows: object[]) {
      const batch = await previewBatch(post, rows);
      if (!batch.preview) throw new Error(batch.said);
      shown = batch.shown;
      await batch.start();
    },
    async outcomes() {
      const { state = '', rows } = (await shown?.()) ?? {};
      return state === 'ended' ? rows?.map(({ outcome }) => outcome) : undefined;
    },
  };
}

test(`texts each of ${rows} rows once`, () => sendsManyRows(open, rows), manyRowsMs(rows));
