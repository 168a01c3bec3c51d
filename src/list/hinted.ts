import type { Page } from './list-pages.ts';

/**
 * The pages of a list. Where there is not a single record, the last one says why that may be.
 *
 * @param hint why the list may be empty
 */
export async function* hinted(
  pages: AsyncGenerator<Page>,
  hint: string | undefined,
): AsyncGenerator<Page> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.records.length === 0;
    yield hint && isEmpty && !page.more ? { ...page, hint } : page;
  }
}
