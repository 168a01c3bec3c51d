import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  askedBySpelling,
  countries,
  sentBySpelling,
  sentParameter,
  spellings,
  spellingsIn,
  withEach,
} from '../../support/phone-spellings.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { button, createList, createNative, createPage, createTable, findTable } from '../app.ts';
import { artefact, type Host, installPlugin, type Loose, startSaltcorn } from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { press } from './press.ts';

// A table of numbers that someone imports from a spreadsheet.

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;

const sms = { from: '+14155550100', to: '{{ phone }}', body: '{{ name }}' };
const pageOf = (country: string) => `in-${country}`;
const quoted = (text: unknown) => `"${String(text).replaceAll('"', '""')}"`;

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  const texts = ['name', 'phone', 'country'];
  const types = Object.fromEntries(texts.map((name) => [name, 'String']));
  people = await createNative('People', types);
  const file = join(temporaryFolder('import'), 'people.csv');
  const lines = spellings.map(({ name, entered, country }) => [name, entered, country].map(quoted));
  writeFileSync(file, [texts, ...lines].map((line) => line.join(',')).join('\n'));
  expect(await people.import_csv_file(file)).toMatchObject({
    success: expect.stringContaining(`Imported ${spellings.length} rows`),
  });
  await createTable('Calls', 'Telephony: Calls by caller id');
  await createList('list', people, ['name'], { buttons: [button('one', 'Send SMS', sms)] });
  for (const country of countries)
    await createPage(
      pageOf(country),
      button('all', 'Send SMS for each row', {
        ...{ rows_table: 'People', rows_of_page: false, ...sms },
        rows_where: country ? `country === "${country}"` : '!country',
      }),
    );
});
beforeEach(async () => {
  boss = await website.user();
});

/** The fields of the lines of a CSV file. */
const readCsv = (text: string): string[][] =>
  text.split('\r\n').map((line) =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, field = '']) =>
      // A spreadsheet would take a number with a plus sign for a formula.
      field
        .replace(/^"|"$/g, '')
        .replaceAll('""', '"')
        .replace(/^'(?=\+)/, ''),
    ),
  );

describe.each(countries)('with the default country %j', (defaultCountry) => {
  const all = spellingsIn(defaultCountry);
  const inCountry = () => installPlugin(artefact, { ...host.settings, defaultCountry });
  beforeEach(inCountry);

  test('a batch reads all spellings of an imported table', async () => {
    const page = `/page/${pageOf(defaultCountry)}`;
    await boss.get(page);
    const { popup } = await press(boss, `${page}/action/all`);
    const [, ...rows] = readCsv(await boss.get(`${popup}/csv`));
    const read = rows.flatMap(([who = '', recipient, outcome, reason]) => {
      const [name] = /^Spelling \d+\./.exec(who) ?? [];
      return name ? [[name, outcome === 'waiting' ? recipient : reason]] : [];
    });
    expect(Object.fromEntries(read)).toEqual(sentBySpelling(all));
  });

  test('a button reads all spellings of an imported table', async () => {
    const sent = await withEach(all, async ({ name }) => {
      const [{ id }] = await people.getRows({ name });
      return sentParameter(host.sandbox.requests, 'To', async () => {
        const { notify, notify_type } = await boss.post('/view/list/run_action', {
          ...{ rndid: 'one', id },
        });
        if (notify_type === 'danger') throw new Error(notify);
      });
    });
    expect(sent).toEqual(sentBySpelling(all));
  });

  test('a filter asks for no other number', async () => {
    const asked = await withEach(all, async ({ entered }) => {
      // A new account has no cached list of the same number.
      await inCountry();
      return sentParameter(host.sandbox.requests, 'From', () =>
        findTable('Calls').getRows({ from: String(entered) }),
      );
    });
    expect(asked).toEqual(askedBySpelling(all));
  });
});
