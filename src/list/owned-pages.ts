import type { OwnedBy } from '../../generated/definition-types.ts';
import type { TelephonyRecord } from '../answer/read-record.ts';
import { isList, type ListSource, operation, pageSizeField } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../perform.ts';
import { TelephonyError } from '../telephony-error.ts';
import { listPages, type Page } from './list-pages.ts';

/** How many owners are asked for their records at a time, and at most for one page. */
const together = 5;
const ownersPerPage = 50;
const defaultPageSize = 50;

/** No owner has more pages of records; a service that names more leads in circles. */
const mostPagesOfOne = 10;

function listSource(id: string): ListSource {
  const source = operation(id);
  if (!isList(source)) throw new RangeError(`"${id}" is no list`);
  return source;
}

/** What tells one record of a list from all others. */
function keyOf({ result }: ListSource, record: TelephonyRecord): string {
  return String(record[recordShape(result.of).key]);
}

function largestPage(source: ListSource): Values {
  const size = pageSizeField(source);
  return size?.maximum === undefined ? {} : { [size.key]: size.maximum };
}

async function* ownersOf(context: Context, rule: OwnedBy, owner: string | number) {
  const owners = listSource(rule.owners);
  const values = { [rule.field]: owner, ...largestPage(owners) };
  for await (const { records } of listPages(context, owners, values)) {
    const owned = records.filter((record) => record[rule.field] === owner);
    yield owned.map((record) => keyOf(owners, record));
  }
}

async function recordsOf(context: Context, rule: OwnedBy, owner: string) {
  const source = listSource(rule.records);
  const found: TelephonyRecord[] = [];
  let pages = 0;
  for await (const page of listPages(context, source, {
    [rule.key]: owner,
    ...largestPage(source),
  })) {
    found.push(...page.records.filter((record) => record[rule.key] === owner));
    pages += 1;
    if (page.more && pages >= mostPagesOfOne)
      throw new TelephonyError(
        'bad-answer',
        `The service goes on and on with the ${source.result.list} of one ${listSource(rule.owners).result.of}.`,
      );
  }
  return found;
}

// A page without any owner is a chunk too: it cost a request.
async function* chunks(owners: AsyncIterable<string[]>) {
  for await (const sids of owners)
    for (let start = 0; start === 0 || start < sids.length; start += together)
      yield sids.slice(start, start + together);
}

// Newest owner first, until a page is full or has cost its share of requests.
async function* pagesOwnerByOwner(
  context: Context,
  rule: OwnedBy,
  owners: AsyncIterable<string[]>,
  size: number,
): AsyncGenerator<Page> {
  let found: TelephonyRecord[] = [];
  let asked = 0;
  for await (const sids of chunks(owners)) {
    found.push(...(await Promise.all(sids.map((sid) => recordsOf(context, rule, sid)))).flat());
    asked += Math.max(sids.length, 1);
    while (found.length > size || (asked >= ownersPerPage && found.length <= size)) {
      yield { records: found.slice(0, size), more: true };
      found = found.slice(size);
      asked = 0;
    }
  }
  yield { records: found, more: false };
}

async function* withFirst<T>(first: T, rest: AsyncIterable<T>) {
  yield first;
  yield* rest;
}

/**
 * Reads a list whose filter the service may ignore, and yields only records of the owners asked for. While
 * every record belongs to one of them the service's pages are yielded as they are; from the first
 * that does not, the records are read owner by owner.
 *
 * The official service does so: a recording carries no caller, and the parameter by which recordings would be
 * filtered by one is not in its OpenAPI document `twilio_api_v2010` (April 2026).
 *
 * @param source the definition of the list
 * @param rule its `ownedBy`
 * @param values the checked values, with a value for `rule.field`
 */
export async function* ownedPages(
  context: Context,
  source: ListSource,
  rule: OwnedBy,
  values: Values,
): AsyncGenerator<Page> {
  const owner = values[rule.field] as string | number;
  let owners: AsyncGenerator<string[]> | undefined;
  let newest: string[] = [];
  const shown = new Set<string>();

  for await (const page of listPages(context, source, values)) {
    if (page.records.length > 0 && !owners) {
      owners = ownersOf(context, rule, owner);
      newest = (await owners.next()).value ?? [];
    }
    const known = new Set(newest);
    if (owners && !page.records.every((record) => known.has(String(record[rule.key])))) {
      const size = Number(values[pageSizeField(source)?.key ?? ''] ?? defaultPageSize);
      const all = withFirst(newest, owners);
      for await (const { records, more } of pagesOwnerByOwner(context, rule, all, size))
        yield { records: records.filter((record) => !shown.has(keyOf(source, record))), more };
      return;
    }
    for (const record of page.records) shown.add(keyOf(source, record));
    yield page;
  }
}
