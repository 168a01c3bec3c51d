import type { Operation, Page, Telephony } from '../../../src/index.ts';

/** What is sent on in one message. */
export interface Outgoing {
  records: object[];
  /** For a list, whether the service has more records than were sent so far. */
  more?: boolean;
  /** For a page, its place among the pages, as Node-RED's Join node understands it. */
  parts?: { id: string; type: 'array'; index: number; len: number; count?: number };
}

/** What is to be done, and how its answer is sent on. */
export interface Run {
  operation: Operation;
  input: object;
  /** What the pages of this run have in common. */
  group: string;
  /** One message for each page, or one for all. */
  isPaged: boolean;
  /** The most records of a list. */
  limit: number;
  signal: AbortSignal;
}

type Pages = AsyncIterable<Page<object>>;

async function* pageByPage(pages: Pages, limit: number, id: string): AsyncGenerator<Outgoing> {
  let index = 0;
  let total = 0;
  for await (const { records, more } of pages) {
    total += records.length;
    const isLast = !more || total >= limit;
    // Join makes one list of lists that are said to be longer than 1, and a list of lists of others.
    const part = { id, type: 'array' as const, index, len: Math.max(records.length, 2) };
    index += 1;
    yield { records, more, parts: isLast ? { ...part, count: index } : part };
  }
}

async function allAtOnce(pages: Pages): Promise<Outgoing> {
  const all: Required<Omit<Outgoing, 'parts'>> = { records: [], more: false };
  for await (const { records, more } of pages) {
    all.records.push(...records);
    all.more = more;
  }
  return all;
}

/**
 * Runs an operation, and gives what is to be sent on.
 *
 * @throws {TelephonyError} also after some pages
 */
export async function* outgoing(
  telephony: Telephony,
  { operation, input, group, isPaged, limit, signal }: Run,
): AsyncGenerator<Outgoing> {
  const { id, result } = operation;
  if ('list' in result) {
    const pages: Pages = telephony.pages(id as never, input as never, { limit, signal });
    if (isPaged) yield* pageByPage(pages, limit, group);
    else yield await allAtOnce(pages);
  } else {
    const record: object = await telephony.run(id as never, input as never, { signal });
    yield { records: [record] };
  }
}
