import type { Locator } from 'playwright-core';
import pack from '../../../demo/saltcorn/desk.json';
import { demoDesk, type OpenOptions, openSaltcorn } from '../open-saltcorn.ts';

const encoded = encodeURIComponent;

export const builders = [
  ...pack.views
    .filter(({ viewtemplate }) => viewtemplate !== 'Telephony chart') // has settings only
    .map(({ name }) => `/viewedit/config/${encoded(name)}`),
  ...pack.pages.map(({ name }) => `/pageedit/edit/${encoded(name)}`),
];

const smsFields = { from: 'From', to: 'To', body: 'Body' } as const;
type Sms = Record<keyof typeof smsFields, string>;

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/**
 * Opens the desk of the demo.
 *
 * @param story the folder of the browser's screenshots
 * @returns what a user can do there, in addition to any Saltcorn
 */
export async function openDesk(story: string, options: OpenOptions = {}, contents = demoDesk) {
  const saltcorn = await openSaltcorn(story, contents, options);
  const { url, card, rows, reloading } = saltcorn;
  const { page } = saltcorn.browser;

  /** Clicks a link to a page. */
  async function follow(link: Locator, path: string) {
    await link.click();
    await page.waitForURL(`**${path}`);
  }

  /** Types into the visible form of an SMS. */
  async function typeSms({ from, to, body }: Partial<Sms>) {
    if (from !== undefined) await page.getByLabel(smsFields.from).fill(from);
    if (to !== undefined) await page.getByLabel(smsFields.to).fill(to);
    if (body !== undefined) await page.getByLabel(smsFields.body).fill(body);
  }

  return {
    ...saltcorn,
    ...{ follow, typeSms },
    goInMenu: (name: string, path: string) => follow(page.getByRole('link', { name }), path),
    sendSms: async (sms: Partial<Sms>) => {
      await typeSms(sms);
      await page.getByText('Send', { exact: true }).click();
    },
    /** The values in the visible form of an SMS. */
    typedSms: async (): Promise<Sms> => ({
      from: await page.getByLabel(smsFields.from).inputValue(),
      to: await page.getByLabel(smsFields.to).inputValue(),
      body: await page.getByLabel(smsFields.body).inputValue(),
    }),
    /** Filters the list in a card by caller. */
    filterByCaller: async (title: string, number: string) => {
      const filter = card(title).getByLabel('Caller');
      await filter.fill(number);
      await reloading(() => filter.press('Enter'));
    },
    filterByStatus: (status: string) =>
      reloading(() => card('Calls').getByLabel(status, { exact: true }).click()),
    /** Turns to a page of the list in a card. */
    turnTo: (title: string, number: number) =>
      reloading(() =>
        card(title).locator('.pagination').getByText(String(number), { exact: true }).click(),
      ),
    /** The texts on the page of a call. */
    callDetails: () => card('Call').first().textContent(),
    /** The players of the listed recordings. */
    players: () => rows('Recordings').locator('audio'),
    /** The content type of a player's audio. */
    audioTypeOf: async (player: Locator) => {
      const audio = await page.request.get(`${url}${await player.getAttribute('src')}`);
      return audio.headers()['content-type'];
    },
  };
}
