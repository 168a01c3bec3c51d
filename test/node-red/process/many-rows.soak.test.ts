import { manyRows, manyRowsMs, sendsManyRows } from '../../promises/sends-many-rows.ts';
import { openBatchFlow, previewBatch } from '../batch-flow.ts';

const rows = manyRows(300, 2_000);

async function open(settings: Parameters<typeof openBatchFlow>[0]) {
  const { server, post } = await openBatchFlow(settings);
  let shown: Awaited<ReturnType<typeof previewBatch>>['shown'] | undefined;
  return {
    server,
    async start(rows: object[]) {
      const batch = await previewBatch(post, rows);
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
