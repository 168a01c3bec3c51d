import { type Operation, recordShape } from '../definition/operation.ts';
import { numberText } from '../text/format.ts';
import { inEnglish, type Say, sentence } from '../text/sentence.ts';

const records = (count: number) => `${numberText(count)} ${count === 1 ? 'record' : 'records'}`;

function labelOf({ result }: Operation): string {
  const { key, fields } = recordShape(result.of);
  return fields.find((field) => field.key === key)?.label ?? key;
}

function reason(source: Operation, count: number): string {
  const label = labelOf(source);
  const them = count === 1 ? 'it' : 'them';
  return `the service sent ${them} without the ${label}, so the plugin can't read ${them}.`;
}

/**
 * Returns the hint of a list that lacks records.
 *
 * @param say writes it in the language of the person
 */
export const unreadableHint = (source: Operation, count: number, say: Say = inEnglish): string =>
  say(
    sentence(
      "{count, plural, one {# record is} other {# records are}} missing here: the service sent {count, plural, one {it} other {them}} without the {label}, so the plugin can't read {count, plural, one {it} other {them}}.",
      { count, label: { text: labelOf(source) } },
    ),
  );

/** Returns the sentence about a poll that skipped records. */
export const skippedRecords = (source: Operation, count: number): string =>
  `Polling skipped ${records(count)} of “${source.name}”: ${reason(source, count)}`;
