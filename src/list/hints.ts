import { type ListSource, type Operation, recordShape } from '../definition/operation.ts';
import type { UnreadableRecords } from '../send/perform.ts';
import { numberText } from '../text/format.ts';
import {
  inEnglish,
  type Said,
  type Sentence,
  sentence,
  sentences,
  withSentence,
} from '../text/sentence.ts';
import type { Page } from './list-pages.ts';

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

interface Hints {
  /** Why the list may be empty. */
  empty: Said | undefined;
  /** The count of the list's records that can't be read. It grows while the pages are read. */
  unreadable: UnreadableRecords;
}

/** Adds a hint to the last page of a list without records, and to each page that lacks records. */
export async function* withHint(
  pages: AsyncGenerator<Page>,
  source: ListSource,
  { empty, unreadable }: Hints,
): AsyncGenerator<Page> {
  let isEmpty = true;
  let reported = 0;
  for await (const page of pages) {
    const { count } = unreadable;
    isEmpty &&= page.records.length === 0;
    const reason = isEmpty && !page.more ? empty : undefined;
    // Callers show the last hint of a list.
    const isMissing = count > (reason ? 0 : reported);
    const missing = isMissing ? unreadableHint(source, count) : undefined;
    const said = missing && reason ? sentences(missing, reason) : (missing ?? reason);
    reported = count;
    const hinted = {
      ...page,
      ...(count > 0 && { unreadable: count }),
      ...(said && { hint: inEnglish(said) }),
    };
    yield said ? withSentence(hinted, said) : hinted;
  }
}
