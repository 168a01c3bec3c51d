import {
  type DataSource,
  definitions,
  isList,
  type Page,
  TelephonyError,
} from '../../../src/builder.ts';
import { choiceTypes, registerChoice } from '../node/choice-node.ts';
import type { Perform } from '../node/handle-message.ts';
import { openOperation } from '../node/operation-node.ts';
import { type Outgoing, outgoing } from '../node/outgoing.ts';
import type { FlowConfig, NodeRed } from '../node-red.ts';
import { readLimit } from './record-limit.ts';

type Pages = AsyncIterable<Page>;

async function* pageByPage(pages: Pages, limit: number, id: string): AsyncGenerator<Outgoing> {
  let index = 0;
  let total = 0;
  for await (const { records, more, hint } of pages) {
    total += records.length;
    const isLast = !more || total >= limit;
    // A Join node concatenates lists whose `len` is above 1, and nests the others.
    const part = { id, type: 'array' as const, index, len: Math.max(records.length, 2) };
    index += 1;
    const parts = isLast ? { ...part, count: index } : part;
    yield { records, more, parts, ...(hint && { hint }) };
  }
}

async function allAtOnce(pages: Pages): Promise<Page> {
  const all: Page = { records: [], more: false };
  for await (const { records, more, hint } of pages) {
    all.records.push(...records);
    all.more = more;
    if (hint) all.hint = hint;
  }
  return all;
}

function limitOf({ limit }: FlowConfig): number {
  const most = readLimit(limit);
  if (most !== undefined) return most;
  throw new TelephonyError(
    'input',
    `"Maximum rows" must be a whole number above 0, not “${limit}”.`,
  );
}

/** Reads a record or a list. Outputs a list as one message per page or as a single message. */
const read = (RED: NodeRed, source: DataSource): Perform =>
  async function* read({ telephony, config, input, stop }) {
    if (isList(source)) {
      const limit = limitOf(config);
      const pages = telephony.pages(source.id, input, { limit, signal: stop });
      if (config.output === 'pages') yield* pageByPage(pages, limit, RED.util.generateId());
      else yield await allAtOnce(pages);
    } else {
      yield outgoing(await telephony.run(source.id, input, { signal: stop }));
    }
  };

/** Registers the node that reads the chosen data source. It outputs the message with the result. */
export const registerRead = (RED: NodeRed) =>
  registerChoice(RED, choiceTypes.read, definitions.dataSources, (node, config, source) =>
    openOperation(RED, node, config, source, read(RED, source)),
  );
