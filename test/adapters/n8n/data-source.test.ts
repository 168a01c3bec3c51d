import type { Execute } from 'n8n-workflow';
import { read } from '../../../plugin/n8n/data-source/data-source.ts';
import { definitions, type Page, type Telephony } from '../../../src/builder.ts';

const source = definitions.dataSources.find(({ id }) => id === 'account-calls');
if (!source) throw new Error('The data source of the tests is gone.');

/** Reads pages in n8n. Returns the SIDs of the items and the hints. */
async function readPages(pages: Page[], isAll = true) {
  const hints: string[] = [];
  const context = {
    getExecutionCancelSignal: () => undefined,
    getNodeParameter: (name: string) => ({ returnAll: isAll, limit: 50 })[name],
    addExecutionHints: ({ message }: { message: string }) => void hints.push(message),
  } as unknown as Execute;
  async function* list() {
    yield* pages;
  }
  const telephony = { pages: list } as unknown as Telephony;
  const items = await read(context, telephony, source as NonNullable<typeof source>, {}, 0);
  return [items.map(({ json }) => json.sid), hints];
}

const records = [{ sid: 'CA1' }];

test.each<[what: string, pages: Page[], isAll: boolean, hints: string[]]>([
  ['without hints', [{ records, more: true }], false, []],
  ['that has more records', [{ records, more: true }], true, ['The list has more records.']],
  [
    'of several pages',
    [
      { records, more: true, hint: 'One is missing.' },
      { records, more: true, hint: 'Two are missing.' },
      { records, more: false },
    ],
    true,
    ['Two are missing.'],
  ],
  [
    'that lacks records and has more',
    [{ records, more: true, hint: 'One is missing.' }],
    true,
    ['One is missing.', 'The list has more records.'],
  ],
])('shows the hints of a list %s once', async (_, pages, isAll, hints) => {
  expect(await readPages(pages, isAll)).toEqual([pages.map(() => 'CA1'), hints]);
});

test('simplifies a record, if the node says so', async () => {
  const record = { sid: 'CA1', status: 'busy', parentCallSid: null, accountSid: 'AC1', uri: '/x' };
  const telephony = {
    async *pages() {
      yield { records: [record], more: false };
    },
  } as unknown as Telephony;
  const jsonOf = async (simplify: unknown) => {
    const context = {
      getExecutionCancelSignal: () => undefined,
      getNodeParameter: (name: string) => ({ simplify, returnAll: true })[name],
    } as unknown as Execute;
    const [item] = await read(context, telephony, source as NonNullable<typeof source>, {}, 0);
    return item?.json;
  };
  expect(await jsonOf(false)).toEqual(record);
  expect(await jsonOf(undefined)).toEqual(record);
  expect(Object.keys((await jsonOf(true)) ?? {})).toEqual([
    ...['sid', 'status', 'from', 'to', 'direction', 'startTime', 'duration', 'price'],
    'parentCallSid',
  ]);
});
