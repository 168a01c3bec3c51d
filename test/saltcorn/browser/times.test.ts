import { openBrowser } from '../../support/browser.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { button, createPage } from '../app.ts';
import { artefact, installPlugin, startSaltcorn } from '../host.ts';
import { startWebsite, type Website } from '../website.ts';

skipWithout(needs.chromium);

// Times in toasts, which the server writes and only the browser can show in its time zone.

let website: Website;

beforeAll(async () => {
  const { settings } = await startSaltcorn();
  await installPlugin(artefact, { ...settings, minimumRole: '100' });
  website = await startWebsite();
  const later = {
    messagingServiceSid: 'MG1',
    sendAt: '2026-11-21T23:30:00Z',
    scheduleType: 'fixed',
  };
  const sms = { from: '+14155550100', to: '+12025550143', body: '<time>Hello</time>' };
  await createPage('later', button('later', 'Send a Message', { ...sms, ...later }));
});

const message = 'Message to +12025550143 scheduled: “<time>Hello</time>”.';
const visitors: [language: string, locale: string, timeZone: string, text: string][] = [
  ['en', 'en-US', 'America/Los_Angeles', `${message} It will be sent on Nov 21, 2026, 3:30 PM.`],
  ['en', 'en-GB', 'UTC', `${message} It will be sent on 21 Nov 2026, 23:30.`],
  [
    'de',
    'en-US',
    'Asia/Tokyo',
    'Nachricht an +12025550143, Status geplant: „<time>Hello</time>“. Gesendet wird am 22.11.2026, 08:30.',
  ],
  [
    'zh',
    'de-DE',
    'Asia/Tokyo',
    '发往 +12025550143 的消息，状态 已定时：“<time>Hello</time>”。将于 2026年11月22日 08:30 发送。',
  ],
];

test.each(visitors)(
  'a toast in %s shows the time as read in a browser in %s in %s',
  async (language, locale, timeZone, text) => {
    const { page, screenshot } = await openBrowser(`times-${language}-${locale}`, timeZone, locale);
    await page.context().addCookies([{ name: 'lang', value: language, url: website.url }]);
    await page.goto(`${website.url}/page/later`);
    await page.getByText('later', { exact: true }).click();
    const toast = page.locator('.toast-body strong');
    await toast.waitFor();
    await screenshot('toast');
    // The narrow space before PM depends on the version of the browser.
    expect((await toast.textContent())?.replaceAll('\u202f', ' ')).toBe(text);
    await page.close();
  },
);
