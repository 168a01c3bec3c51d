import { type Operation, recordShape } from '../definition/operation.ts';
import { numberText } from '../text/format.ts';

const records = (count: number) => `${numberText(count)} ${count === 1 ? 'record' : 'records'}`;

function reason({ result }: Operation, count: number): string {
  const { key, fields } = recordShape(result.of);
  const label = fields.find((field) => field.key === key)?.label ?? key;
  const them = count === 1 ? 'it' : 'them';
  return `the service sent ${them} without the ${label}, so the plugin can't read ${them}.`;
}

/** Returns the hint of a list that lacks records. */
export const unreadableHint = (source: Operation, count: number): string =>
  `${records(count)} ${count === 1 ? 'is' : 'are'} missing here: ${reason(source, count)}`;

/** Returns the sentence about a poll that skipped records. */
export const skippedRecords = (source: Operation, count: number): string =>
  `Polling skipped ${records(count)} of “${source.name}”: ${reason(source, count)}`;
