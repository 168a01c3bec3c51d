import type { DataSource, Page } from '../../../src/index.ts';
import { type Outgoing, type Perform, registerNode } from '../node/operation-node.ts';
import type { NodeRed } from '../node-red.ts';
import { usualLimit } from './record-limit.ts';

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

/** Reads a record, or the pages of a list: one message for each, or one for all. */
const read = (RED: NodeRed, { id, result }: DataSource): Perform =>
  async function* read({ telephony, config, input, signal }) {
    if ('list' in result) {
      const limit = Number(config.limit) || usualLimit;
      const pages: Pages = telephony.pages(id as never, input as never, { limit, signal });
      if (config.output === 'pages') yield* pageByPage(pages, limit, RED.util.generateId());
      else yield await allAtOnce(pages);
    } else {
      const record: object = await telephony.run(id as never, input as never, { signal });
      yield { records: [record] };
    }
  };

/** Registers the node of a data source: the message goes on with what was read. */
export const registerDataSource = (RED: NodeRed, source: DataSource) =>
  registerNode(RED, source, read(RED, source));
