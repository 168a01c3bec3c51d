import type { Locator, Page } from 'playwright-core';

export type NodeRedDesk = ReturnType<typeof deskIn>;

const untilHolds = async (field: Locator, value: string) =>
  field
    .page()
    .waitForFunction('([field, value]) => field.value === value', [
      await field.elementHandle(),
      value,
    ]);

/** What a user sees of Node-RED's desk, built from the dashboard's widgets. */
export function deskIn(page: Page) {
  const group = (title: string) => page.locator('.nrdb-ui-group', { hasText: title }).first();
  const form = group('Send an SMS');
  const to = form.locator('input').first();
  const message = form.locator('textarea').first();
  return {
    ...{ page, group, to, message },
    rows: group('Calls').locator('tbody tr'),
    /** The messages with the other party, in a call's window. */
    conversation: page.getByRole('dialog').locator('.conversation'),
    send: page.getByRole('button', { name: 'Send', exact: true }),
    toast: (text: string) => page.locator('.v-snackbar__content', { hasText: text }),
    /** Waits until the form contains a number and a text, which Node-RED may fill in. */
    untilFormHolds: async (number: string, text: string) => {
      await untilHolds(to, number);
      await untilHolds(message, text);
    },
    /** Searches for the calls of a number. */
    find: async (number: string) => {
      await page.getByLabel('From').first().fill(number);
      await page.getByLabel('From').first().press('Enter');
    },
  };
}
