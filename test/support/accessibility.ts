import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Parts of a page that the builder draws, and the rule that each breaks; without one, every rule. */
export type Foreign = { selector: string; rule?: string }[];

const ofSaltcorn: Foreign = [
  // The theme's menu has faint headings, in a list without list items.
  { selector: '#accordionSidebar' },
  // The administrators' bar above each page.
  { selector: '.admin-edit-bar' },
  // The title of a card is always an h5, even right below the h1 of a page.
  { selector: '.card-header > h5', rule: 'heading-order' },
  // White text on the theme's red.
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
 * Checks the accessibility of a page by axe.
 *
 * @param page the page
 * @param part the selector of the only part to check; empty for the whole page
 * @param foreign parts of the builder, which are not checked
 * @returns a line for each element that breaks a rule, with how to fix it
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
