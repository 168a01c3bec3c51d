import { type Operation, recordShape } from '../definition/operation.ts';
import { numberText } from '../text/format.ts';
import { type Sentence, sentence } from '../text/sentence.ts';

function labelOf({ result }: Operation): string {
  const { key, fields } = recordShape(result.of);
  return fields.find((field) => field.key === key)?.label ?? key;
}

/** Returns the hint of a list that lacks records. */
export const unreadableHint = (source: Operation, count: number): Sentence =>
  sentence(
    "{count, plural, one {# record is} other {# records are}} missing here: the service sent {count, plural, one {it} other {them}} without the {label}, so the plugin can't read {count, plural, one {it} other {them}}.",
    { count, label: { text: labelOf(source) } },
  );

/** Returns the sentence about a poll that skipped records, for the log. */
export function skippedRecords(source: Operation, count: number): string {
  const records = `${numberText(count)} ${count === 1 ? 'record' : 'records'}`;
  const them = count === 1 ? 'it' : 'them';
  return `Polling skipped ${records} of “${source.name}”: the service sent ${them} without the ${labelOf(source)}, so the plugin can't read ${them}.`;
}
