import type { Execute, Item } from 'n8n-workflow';
import { type DataSource, isList, type Telephony } from '../../../src/builder.ts';

/** Reads a record, or the records of a list, as one item for each. */
export async function read(
  context: Execute,
  telephony: Telephony,
  source: DataSource,
  input: object,
  item: number,
): Promise<Item[]> {
  const signal = context.getExecutionCancelSignal();
  if (!isList(source)) {
    const record = await telephony.run(source.id, input, { signal });
    return [{ json: { ...record } }];
  }
  const isAll = context.getNodeParameter('returnAll', item, false) === true;
  const limit = isAll ? undefined : Number(context.getNodeParameter('limit', item, 50));
  const items: Item[] = [];
  let hint: string | undefined;
  let isCut = false;
  for await (const page of telephony.pages(source.id, input, { limit, signal })) {
    items.push(...page.records.map((record) => ({ json: { ...record } })));
    hint = page.hint ?? hint;
    isCut = isAll && page.more;
  }
  for (const message of [hint, isCut && 'The list has more records.'])
    if (message) context.addExecutionHints?.({ message, location: 'outputPane' });
  return items;
}
