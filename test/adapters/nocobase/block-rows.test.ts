import { rowsOf } from '../../../plugin/nocobase/client-v2/bulk/block-rows.ts';

// Which rows a button for all rows of its block requests.

const translate = (text: string, values: object = {}) =>
  Object.entries(values).reduce(
    (filled, [name, value]) => filled.replace(`{{${name}}}`, value),
    text,
  );

type Meta = { count?: number; hasNext?: boolean };

/** The keys that a button gets of a block with so many rows, and the pages that it requests. */
async function listed(rows: number, most: number, metaOf: (page: number) => Meta) {
  const pages: number[] = [];
  const collection = {
    filterTargetKey: 'id',
    getFilterByTK: (all: { id: number }[]) => all.map(({ id }) => id),
  };
  const runAction = async (
    _: string,
    { params }: { params: { page: number; pageSize: number } },
  ) => {
    pages.push(params.page);
    const first = (params.page - 1) * params.pageSize;
    const length = Math.max(0, Math.min(params.pageSize, rows - first));
    const data = Array.from({ length }, (_, index) => ({ id: first + index }));
    return { data, meta: metaOf(params.page) };
  };
  const context = { blockModel: { collection, resource: { runAction } } };
  const keys = await rowsOf(context as never, 'all', most, translate).catch(
    ({ message }) => message,
  );
  return { keys, pages };
}

const all = (count: number) => Array.from({ length: count }, (_, index) => index);
const tooMany =
  "More than 2,500 rows match. Narrow the block's filters, or raise “Maximum rows” in the button's settings.";

test.each<[string, number, (page: number) => Meta, unknown, number[]]>([
  ['a total', 2_500, () => ({ count: 2_500 }), all(2_500), [1, 2, 3]],
  ['only whether there is more', 2_500, (page) => ({ hasNext: page < 3 }), all(2_500), [1, 2, 3]],
  ['neither', 3, () => ({}), all(3), [1]],
  [
    'a total that rows deleted meanwhile counted',
    1_000,
    () => ({ count: 1_001 }),
    all(1_000),
    [1, 2],
  ],
  ['a total that is too high', 2_501, () => ({ count: 2_501 }), tooMany, [1]],
  ['more than fits', 2_501, (page) => ({ hasNext: page < 3 }), tooMany, [1, 2, 3]],
  ['no rows', 0, () => ({ count: 0 }), "No row matches the block's filters.", [1]],
])('reads all pages of a list that reports %s', async (_, rows, metaOf, keys, pages) => {
  expect(await listed(rows, 2_500, metaOf)).toEqual({ keys, pages });
});
