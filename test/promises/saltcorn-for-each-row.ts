import type { OpenSaltcorn } from '../browser/open-saltcorn.ts';
import type { ForEachRow, Run } from './app.ts';

/** The buttons of the page that texts each row of a list, each pressed in a tab of its own. */
export function openForEachRow({ browser, server, url }: OpenSaltcorn): ForEachRow {
  async function press(label: string, query: string, script = ''): Promise<Run> {
    const page = await browser.page.context().newPage();
    await page.goto(`${url}/page/each${query}`);
    if (script) await page.evaluate(script);
    await page.getByText(label, { exact: true }).first().click();
    const popup = page.locator('#scmodal.show .modal-body');
    const refusal = page.locator('#toasts-area .toast-body');
    await popup.or(refusal).last().waitFor();
    const isAsked = await popup.isVisible();
    const question = (await (isAsked ? popup : refusal).last().textContent()) ?? '';
    const link = page.locator('.sc-modal-linkout');
    const run = isAsked ? await link.getAttribute('href') : '';
    const choose = async (name: RegExp, next: string) => {
      const answered = page.waitForResponse(`**${run}/${next}`);
      await popup.getByRole('button', { name }).click();
      await answered;
    };
    return {
      question,
      begin: () => choose(/^Send SMS/, 'start'),
      stop: () => choose(/^Stop/, 'stop'),
      shown: async () => (await popup.textContent()) ?? '',
      result: async () => {
        const later = await page.context().newPage();
        await later.goto(url + run);
        await later.locator('.alert[role=status]').waitFor();
        const said = await later.locator(`#run-${run?.split('/').at(-1)}`).textContent();
        await later.close();
        return said ?? '';
      },
    };
  }

  return {
    text: ({ name, sendsNoReferer }) =>
      press(
        'everyone shown',
        name ? `?name=${encodeURIComponent(name)}` : '',
        sendsNoReferer &&
          `document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')`,
      ),
    textWhere: (filter) => press(filter, ''),
    restart: () => server.restart('SIGKILL'),
  };
}
