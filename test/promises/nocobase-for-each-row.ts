import type { Page } from 'playwright-core';
import type { Visitor } from '../../demo/nocobase/visitor.ts';
import type { NocobaseServer } from '../nocobase/nocobase-server.ts';
import { type ForEachRow, people, type Run, type vagueFilters } from './app.ts';

const button = 'Send SMS for selected rows';
const columns = {
  to: '{{ ctx.record.phone }}',
  from: '+15005550006',
  body: 'Your table is ready.',
};

/** A page of people with a button that texts those who are selected. */
export const peoplePage = {
  ...{ title: 'People', icon: 'TeamOutlined' },
  blocks: [
    {
      ...{ collection: 'people', pageSize: 50, rowButtons: [] },
      buttons: [
        { use: 'TelephonySendSmsSelectedRowsActionModel', run: { ...columns, ask: false } },
      ],
      columns: ['name', 'phone'].map((field) => ({ field, use: 'DisplayTextFieldModel' })),
    },
  ],
};

/** Adds the table of people. */
export async function addPeople(admin: Visitor) {
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const texts = ['name', 'phone'].map((name) => ({ name, type: 'string', interface: 'input' }));
  await admin.ask('collections:create', {
    ...{ name: 'people', title: 'People', autoGenId: false, template: 'general' },
    fields: [id, ...texts],
  });
  for (const person of people) await admin.ask('people:create', person);
}

/** What a browser could say that is selected, or that a field is filled in with. */
const vague: Record<(typeof vagueFilters)[number], { rows?: unknown; to?: unknown }> = {
  'is false': { rows: false },
  'is false for everyone': { rows: [false, false] },
  'is null': { rows: null },
  'has no value': {},
  'has no value for one of two': { rows: [1, null] },
  'names a column that there is none of': { rows: [1], to: [{ column: 'fone' }] },
  'is not understood': { rows: { $ne: 1 } },
};

/** The button of the page of people, pressed in a tab of its own for those who are selected. */
export function openForEachRow(
  { url, admin, restart }: NocobaseServer,
  { page: first }: { page: Page },
  path: string,
): ForEachRow {
  let isRestarted = false;
  const tabs: Page[] = [];

  /** Nobody has more than two open at the same time. Those that stay open ask the server for ever. */
  async function newTab() {
    const page = await first.context().newPage();
    for (const old of tabs.splice(0, tabs.length - 1)) await old.close();
    tabs.push(page);
    return page;
  }

  async function pressed(name?: string, script?: string) {
    const page = await newTab();
    await page.goto(url + path);
    if (script) await page.evaluate(script);
    const rows = page.locator('tr.ant-table-row:visible');
    await rows.nth(people.length - 1).waitFor();
    const own = rows.filter({ has: page.getByText(name ?? '', { exact: true }) });
    const places = name ? own : page.locator('thead:visible');
    // A row shows its number in the place of its box until someone points at it.
    await places.locator('.ant-table-selection-column').hover();
    await places.locator('input[type=checkbox]').check();
    await page.getByRole('button', { name: button }).click();
    const dialog = page.locator('.ant-modal:visible');
    await dialog.locator('.telephony-run-asked').waitFor();
    return dialog;
  }

  async function text({ name, sendsNoReferer }: { name?: string; sendsNoReferer?: true }) {
    const dialog = await pressed(
      name,
      sendsNoReferer &&
        `document.head.insertAdjacentHTML('beforeend', '<meta name="referrer" content="no-referrer">')`,
    );
    const choose = async (label: RegExp, step: string) => {
      const answered = dialog.page().waitForResponse(`**/telephonyRuns:${step}`);
      // By the keyboard: a dialog that still opens on a slow machine can move from under the mouse.
      await dialog.getByRole('button', { name: label, disabled: false }).press('Enter');
      await (await answered).finished();
    };
    return {
      question: (await dialog.textContent()) ?? '',
      begin: () => choose(/times$/, 'begin'),
      stop: () => choose(/^Stop/, 'stop'),
      shown: async () => (await dialog.textContent()) ?? '',
      result: async () => {
        const place = isRestarted ? await pressed(name) : dialog;
        if (isRestarted) await place.getByRole('button', { name: 'See it' }).click();
        const end = place.locator('.telephony-run-ended, .telephony-run-interrupted');
        await end.waitFor();
        return (await end.textContent()) ?? '';
      },
    } satisfies Run;
  }

  return {
    text,
    textWhere: async (filter) => {
      const { rows, to = [{ column: 'phone' }] } = vague[filter];
      const input = { from: [columns.from], to, body: [columns.body] };
      const asked = { action: 'send-sms', dataSource: 'main', collection: 'people', rows, input };
      const question = await admin.ask('telephonyRuns:ask', asked).then(
        (run) => JSON.stringify(run),
        (error) => String(error.message),
      );
      const never = async () => Promise.reject(new Error('It is not asked about.'));
      return { question, begin: never, stop: never, shown: never, result: never };
    },
    restart: async () => {
      // PostgreSQL belongs to it, and is ended in an orderly way.
      await restart('SIGTERM');
      isRestarted = true;
    },
  };
}
