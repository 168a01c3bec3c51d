import type { Page } from './list-pages.ts';

/**
 * Adds a hint to the last page of a list without records.
 *
 * @param hint why the list may be empty
 */
export async function* withHint(
  pages: AsyncGenerator<Page>,
  hint: string | undefined,
): AsyncGenerator<Page> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.records.length === 0;
    yield hint && isEmpty && !page.more ? { ...page, hint } : page;
  }
}
