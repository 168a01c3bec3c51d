import {
  type DataSource,
  freePageSize,
  type Inputs,
  isList,
  isPage,
  type Page,
  type Query,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import type { Row } from '../where/where.ts';

type RowPage = Page<Row>;

/** The builder's preview reads one row or a few. A list and its count share one large page. */
const maxPreviewRows = 10;
const smallPage = 100;

async function* readOne(telephony: Telephony, { source, input }: Query): AsyncGenerator<RowPage> {
  try {
    const record = await telephony.run(source.id, input);
    yield isPage(record) ? record : { records: [record], more: false };
  } catch (error) {
    if (!(error instanceof TelephonyError && error.code === 'not-found')) throw error;
  }
}

const readList = (telephony: Telephony, { source, input }: Query) =>
  telephony.pages(source.id, input);

/** The page sizes to use, best first. */
function pageSizes(source: DataSource, wanted: number): Inputs[] {
  const field = freePageSize(source);
  if (field?.maximum === undefined) return [{}];
  const large = { [field.key]: field.maximum };
  return wanted > maxPreviewRows
    ? [large]
    : [large, { [field.key]: Math.min(smallPage, field.maximum) }];
}

/**
 * Reads the records of a request page by page. Uses a cached read if there is one.
 *
 * @param wanted how many records are needed; determines the page size if the request has none
 */
export async function readQuery(
  { telephony, reads }: Account,
  query: Query,
  wanted: number,
): Promise<AsyncIterable<RowPage>> {
  const { source, input } = query;
  const sized = pageSizes(source, wanted).map((size) => ({
    ...query,
    input: { ...size, ...input },
  }));
  const keys = sized.map((one) => JSON.stringify([source.id, one.input]));
  const connected = await telephony();
  const recent = keys.map((key) => reads.find(key)).find(Boolean);
  if (recent) return recent;
  const read = isList(source) ? readList : readOne;
  return reads.add(keys.at(-1) ?? '', read(connected, sized.at(-1) ?? query));
}
