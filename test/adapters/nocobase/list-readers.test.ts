import type { Account } from '../../../plugin/nocobase/server/account/account.ts';
import { ListReaders } from '../../../plugin/nocobase/server/data-source/list-readers.ts';
import { definitions, type Page } from '../../../src/builder.ts';

const [source] = definitions.dataSources.filter(({ id }) => id === 'calls-by-number-and-date');
if (!source) throw new Error('The data source of the tests is gone.');

const records = Array.from({ length: 1000 }, (_, index) => ({ sid: `CA${index}` }));

test('drops the lists that were read longest ago when they have too many rows together', async () => {
  const opened: unknown[] = [];
  async function* pages(_: string, { from }: { from: string }): AsyncGenerator<Page> {
    opened.push(from);
    for (;;) yield { records, more: true } as unknown as Page;
  }
  const account = { telephony: () => ({ pages }) } as unknown as Account;
  const readers = new ListReaders(source);
  const read = (from: string) => {
    const reading = { offset: 19_000, limit: 1_000, reader: 1 };
    return readers.of(account, { from }, reading).part(19_000, 1_000);
  };
  for (const from of ['a', 'b', 'c', 'd', 'c', 'd']) await read(from);
  expect(opened).toEqual(['a', 'b', 'c', 'd']);
  for (const from of ['a', 'd']) await read(from);
  expect(opened).toEqual(['a', 'b', 'c', 'd', 'a']);
});
