import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What a builder draws around and within what is ours, and the rule that it breaks there: all, unless it is named. */
export type Foreign = { selector: string; rule?: string }[];

const ofSaltcorn: Foreign = [
  // The menu of its theme, with faint headings, in a list that is none.
  { selector: '#accordionSidebar' },
  // The bar above a page on which administrators find the way to its builder.
  { selector: '.admin-edit-bar' },
  // The title of a card is always an h5, also right below the h1 of a page.
  { selector: '.card-header > h5', rule: 'heading-order' },
  // The white headline of a toast, on the red of the theme.
  { selector: '.toast-header', rule: 'color-contrast' },
];

const elements = (context: string, foreign: Foreign) => `
  axe.run(${context}, { elementRef: true }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) =>
          !${JSON.stringify(foreign)}.some(({ selector, rule = id }) => rule === id && element.closest(selector)))
        .map(({ target, failureSummary }) => id + ': ' + target.join(' ') + ': ' + failureSummary)))`;

/**
 * What keeps people who use a keyboard or a screen reader, or do not see well, from using the page that is shown:
 * what axe finds, one line for each element, with its rule and what to do.
 *
 * @param page the page
 * @param part the selector of the only part that is ours; empty for the whole page
 * @param foreign what the builder draws
 */
export async function barriers(
  page: Page,
  part = '',
  foreign: Foreign = ofSaltcorn,
): Promise<string[]> {
  await page.evaluate(axe.source);
  const context = part ? JSON.stringify({ include: [[part]] }) : 'document';
  const found = await page.evaluate<string[]>(elements(context, foreign));
  return found.map((line) => line.replaceAll(/\s+/g, ' '));
}
