import {
  definitions,
  type RowItem,
  type Say,
  sayIn,
  sendBatchCsv,
  sentence,
} from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

const sid = 'SM00000000000000000000000000000001';
const to = '+12025550143';

/** The response of a server that sends these rows. */
async function fileOf(items: RowItem[], say?: Say) {
  const batch = { items, startedAt: Date.UTC(2026, 10, 28) };
  const { url } = await serveHttp((_, response) => sendBatchCsv(response, send, batch, say));
  const response = await fetch(url);
  // `text()` would remove the byte order mark.
  return { headers: response.headers, text: Buffer.from(await response.arrayBuffer()).toString() };
}

test('a browser saves the rows of a batch as a CSV file that spreadsheets open', async () => {
  const { headers, text } = await fileOf([{ who: 'Ada', to, outcome: 'done', sid }]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="send-sms-2026-11-28.csv"',
    'cache-control': 'no-store',
  });
  expect(text).toBe(`\uFEFFRow,Recipient,Outcome,Reason,SID\r\nAda,'${to},sent,,${sid}\r\n`);
});

test.each<[item: RowItem, line: string]>([
  [{ who: 'Ada', outcome: 'done' }, 'Ada,,sent,,'],
  [{ who: 'Ada', to, outcome: 'already-done', sid }, `Ada,'${to},skipped,already sent,${sid}`],
  [{ who: 'Ada', outcome: 'duplicate' }, 'Ada,,skipped,same message as another row,'],
  [{ who: 'Ada', outcome: 'failed', message: 'No number.' }, 'Ada,,failed,No number.,'],
  [{ who: 'Ada', outcome: 'opted-out', message: 'They left.' }, 'Ada,,opted out,They left.,'],
  [{ who: 'Ada', outcome: 'unknown', message: 'Look.' }, 'Ada,,unknown,Look.,'],
  [{ who: 'Ada', outcome: 'not-run' }, 'Ada,,not run,,'],
  [{ who: 'Ada', outcome: 'waiting' }, 'Ada,,waiting,,'],
  [{ who: 'Lovelace, Ada', outcome: 'done' }, '"Lovelace, Ada",,sent,,'],
  [{ who: '“Ada” "A" Lovelace', outcome: 'done' }, '"“Ada” ""A"" Lovelace",,sent,,'],
  [{ who: 'Ada\r\nLovelace', outcome: 'done' }, '"Ada\r\nLovelace",,sent,,'],
  [{ who: 'Zoë 李', outcome: 'done' }, 'Zoë 李,,sent,,'],
  // Spreadsheets take these for formulas.
  [{ who: '=1+1', outcome: 'done' }, "'=1+1,,sent,,"],
  [
    { who: '=HYPERLINK("http://x","y")', outcome: 'done' },
    `"'=HYPERLINK(""http://x"",""y"")",,sent,,`,
  ],
  [{ who: '+12025550143', outcome: 'done' }, "'+12025550143,,sent,,"],
  [{ who: '-1', outcome: 'done' }, "'-1,,sent,,"],
  [{ who: '@SUM(A1)', outcome: 'done' }, "'@SUM(A1),,sent,,"],
  [{ who: '\t=1', outcome: 'done' }, "'\t=1,,sent,,"],
  [{ who: '\r=1', outcome: 'done' }, `"'\r=1",,sent,,`],
  [{ who: '＝1', outcome: 'done' }, "'＝1,,sent,,"],
  [{ who: 'Ada', outcome: 'failed', message: '=1' }, "Ada,,failed,'=1,"],
  [{ who: 'a=b', outcome: 'done' }, 'a=b,,sent,,'],
])('the row %j becomes the line %j', async (item, line) => {
  expect((await fileOf([item])).text.split('SID\r\n')[1]).toBe(`${line}\r\n`);
});

test('words are translated, names and messages are not', async () => {
  const items: RowItem[] = [
    { who: 'sent', outcome: 'failed', message: 'failed' },
    { who: 'Bob', outcome: 'failed', message: sentence('No number.') },
    { who: 'Ada', outcome: 'duplicate' },
  ];
  const { text } = await fileOf(
    items,
    sayIn((word) => word.toUpperCase()),
  );
  expect(text).toBe(
    '\uFEFFROW,RECIPIENT,OUTCOME,REASON,SID\r\nsent,,FAILED,failed,\r\nBob,,FAILED,NO NUMBER.,\r\nAda,,SKIPPED,SAME MESSAGE AS ANOTHER ROW,\r\n',
  );
});

test('while many rows are written, other requests are served', async () => {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const items = Array.from(
    { length: 20_000 },
    (_, index): RowItem => ({ who: `P${index}`, outcome: 'done' }),
  );
  const { text } = await fileOf(items);
  isOver = true;
  expect(text.split('\r\n')).toHaveLength(items.length + 2);
  expect(turns).toBeGreaterThanOrEqual(40);
});
