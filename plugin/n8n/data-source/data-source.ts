import type { Execute, Item, Values } from 'n8n-workflow';
import { type DataSource, isList, recordShape, type Telephony } from '../../../src/builder.ts';

/** The fields of a record that most people need, and those by which other operations find it and its call or message. */
function simplified({ result }: DataSource, record: Values): Values {
  const { key, fields } = recordShape(result.of);
  const kept = fields.filter(
    (one) => one.key === key || one.usual || (one.type === 'sid' && !one.technical),
  );
  return Object.fromEntries(kept.map(({ key }) => [key, record[key]]));
}

/** Reads a record, or the records of a list, as one item for each. */
export async function read(
  context: Execute,
  telephony: Telephony,
  source: DataSource,
  input: object,
  item: number,
): Promise<Item[]> {
  const signal = context.getExecutionCancelSignal();
  const isSimple = context.getNodeParameter('simplify', item, false) === true;
  const itemOf = (record: object): Item => ({
    json: isSimple ? simplified(source, { ...record }) : { ...record },
  });
  if (!isList(source)) {
    return [itemOf(await telephony.run(source.id, input, { signal }))];
  }
  const isAll = context.getNodeParameter('returnAll', item, false) === true;
  const limit = isAll ? undefined : Number(context.getNodeParameter('limit', item, 50));
  const items: Item[] = [];
  let hint: string | undefined;
  let isCut = false;
  for await (const page of telephony.pages(source.id, input, { limit, signal })) {
    items.push(...page.records.map(itemOf));
    hint = page.hint ?? hint;
    isCut = isAll && page.more;
  }
  for (const message of [hint, isCut && 'The list has more records.'])
    if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
  return items;
}
