/**
 * Runs a batch of rows in its own process: `batch-runner <store> <rows> <folder or URL>`. Reports to its parent what that cost.
 */
import {
  type Action,
  Batches,
  connect,
  definitions,
  type LogStore,
  planRow,
} from '../src/builder.ts';
import type { BatchFigures } from './batches.ts';
import { account, sms } from './records.ts';
import { openStore, report } from './stores.ts';

const [name = '', count = '', place = ''] = process.argv.slice(2);
const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];
const store = await openStore(name, place);

let written = 0;
const counting: LogStore = {
  ...store,
  insert(kind, entry) {
    written += JSON.stringify(entry).length;
    return store.insert(kind, entry);
  },
  swap(kind, entry, value) {
    written += JSON.stringify({ ...entry, value }).length;
    return store.swap(kind, entry, value);
  },
};

/** An account that answers at once, so that only the batch is measured. */
function fastAccount() {
  let sent = 0;
  return connect({
    ...account,
    async http() {
      sent += 1;
      const body = JSON.stringify({ sid: `SM${String(sent).padStart(32, '0')}` });
      return {
        status: 201,
        headers: { date: new Date().toUTCString() },
        body: (async function* () {
          yield Buffer.from(body);
        })(),
      };
    },
  });
}

process.on('message', async () => {
  const items = Array.from({ length: Number(count) }, (_, index) =>
    planRow(action, {
      ...{ row: ['People', index], name: `Person ${index}`, filled: ['to'] },
      input: () => ({ ...sms, to: `+1202${5_000_000 + index}` }),
    }),
  );
  const size = JSON.stringify(items).length;
  const batches = new Batches<undefined>(counting);
  // A scope of its own: it continues no batch of another size.
  const press = {
    owner: 'Ada',
    actionId: action.id,
    scope: count,
    button: 'B',
    context: undefined,
  };
  const { key } = await batches.openPreview(press, { items });
  const telephony = fastAccount();
  written = 0;
  const used = process.cpuUsage();
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const ended = resolve;
    void batches.start(key, 'Ada', {
      ...{ action, open: async () => telephony, report, ended },
    });
  });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(used);
  const outcomes = (await batches.find(key, 'Ada'))?.items.map(({ outcome }) => outcome) ?? [];
  if (outcomes.some((outcome) => outcome !== 'done')) throw new Error('Some rows were not sent.');
  const figures: BatchFigures = {
    written: written / size,
    cpu: (user + system) / items.length,
    perSecond: items.length / seconds,
    memory: process.resourceUsage().maxRSS / 1024,
  };
  process.send?.(figures);
});
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
