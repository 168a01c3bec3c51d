import type { Action } from '../../generated/definition-types.ts';
import { inEnglish, type Say, sentence } from '../text/sentence.ts';
import { type RowView, rowView } from './batch-view.ts';
import type { RowItem } from './row-item.ts';
import { countsByWord, countsOf, outcomeWord } from './row-summary.ts';

/** How many rows a page shows. */
export const rowsPerPage = 100;

/** The texts of a page of rows, besides the names of its columns. */
export const batchPageTexts = {
  all: (count: number) => sentence('All ({count})', { count }),
  outcome: (word: string, count: number) =>
    sentence('{outcome} ({count})', { outcome: { text: word }, count }),
  shown: (first: number, last: number, count: number) =>
    sentence('{first}–{last} of {count}', { first, last, count }),
  previous: sentence('Previous'),
  next: sentence('Next'),
};

/** Which rows of a batch a person looks at. */
export interface BatchPageChoice {
  /** Only rows with this word for their outcome. If not given or no row has it, all rows. */
  outcome?: string | undefined;
  /** The page, from 1. If there is no such page, the last one. */
  page?: number | undefined;
}

/** Some rows of a batch. Plain data. */
export interface BatchPage {
  /** The rows on the page. NocoBase would take `rows` for those of a table. */
  shown: RowView[];
  /** The words for the outcomes of all rows, and how many rows have each. */
  outcomes: [word: string, count: number][];
  /** The chosen word; empty for all rows. */
  outcome: string;
  /** How many rows there are on all pages. */
  count: number;
  page: number;
}

/**
 * Returns a page of the rows of a batch, so that a person can look through them before and after it runs.
 *
 * @param say writes the words in the rows in the person's language
 */
export function batchPage(
  action: Action,
  items: RowItem[],
  { outcome = '', page = 1 }: BatchPageChoice,
  say: Say = inEnglish,
): BatchPage {
  const delivered = items.filter(({ delivery }) => delivery !== undefined);
  const others = countsOf(items.filter(({ delivery }) => delivery === undefined));
  const byDelivery = new Map<string, number>();
  for (const item of delivered) {
    const word = outcomeWord(action, item);
    byDelivery.set(word, (byDelivery.get(word) ?? 0) + 1);
  }
  const outcomes = [...byDelivery, ...countsByWord(action, others)].filter(
    ([, count]) => count > 0,
  );
  const isChosen = outcomes.some(([word]) => word === outcome);
  const chosen = isChosen ? items.filter((item) => outcomeWord(action, item) === outcome) : items;
  const pages = Math.max(1, Math.ceil(chosen.length / rowsPerPage));
  const number = Number.isInteger(page) ? Math.min(Math.max(page, 1), pages) : 1;
  const rows = chosen.slice((number - 1) * rowsPerPage, number * rowsPerPage);
  return {
    shown: rows.map((item) => rowView(action, item, say)),
    ...{ outcomes, outcome: isChosen ? outcome : '', count: chosen.length, page: number },
  };
}
