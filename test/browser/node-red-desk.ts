import type { Page } from 'playwright-core';

export type NodeRedDesk = ReturnType<typeof deskIn>;

/** What someone sees of Node-RED's desk, made of the widgets of its dashboard. */
export function deskIn(page: Page) {
  const group = (title: string) => page.locator('.nrdb-ui-group', { hasText: title }).first();
  const form = group('Send an SMS');
  return {
    ...{ page, group },
    rows: group('Calls').locator('tbody tr'),
    to: form.locator('input').first(),
    message: form.locator('textarea').first(),
    send: page.getByRole('button', { name: 'Send', exact: true }),
    toast: (text: string) => page.locator('.v-snackbar__content', { hasText: text }),
    /** Asks for the calls of a number. */
    find: async (number: string) => {
      await page.getByLabel('From').first().fill(number);
      await page.getByLabel('From').first().press('Enter');
    },
  };
}
