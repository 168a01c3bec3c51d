import type { ListSource } from '../definition/operation.ts';
import type { UnreadableRecords } from '../send/perform.ts';
import { inEnglish, type Said, sentences } from '../text/sentence.ts';
import { withSentence } from '../text/sentence-of.ts';
import type { Page } from './list-pages.ts';
import { unreadableHint } from './unreadable-records.ts';

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
