import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../../../src/builder.ts';
import { artefact, type Host, type Loose, model, saltcorn, startSaltcorn, state } from '../host.ts';
import { startWebsite, type Visitor } from '../website.ts';

let host: Host;
let boss: Visitor;

beforeAll(async () => {
  host = await startSaltcorn();
  boss = await (await startWebsite()).user();
});
afterEach(() => jest.restoreAllMocks());

const textsOf = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(join(artefact, 'locales', `${language}.json`), 'utf8'));

/** Makes every form of the plugin, and returns the texts that it looks up. */
async function lookedUp(): Promise<string[]> {
  const texts = new Set<string>();
  jest.spyOn(saltcorn('data/db/state'), 'getReq__').mockReturnValue((text: string) => {
    texts.add(text);
    return text;
  });
  const { plugins, actions, table_providers } = state();
  const formOf = ({ steps }: Loose, context: object) => steps[0].form(context);
  const settings = {
    ...host.settings,
    publicAddress: 'https://app.example.com',
    pollMinutes: 1,
    minimumRole: '100',
  };
  await formOf(plugins.telephony.configuration_workflow(), settings);
  for (const { configuration_workflow } of Object.values<Loose>(table_providers))
    await formOf(configuration_workflow(), {});
  for (const { namespace, description, configFields } of Object.values<Loose>(actions))
    if (namespace === definitions.manifest.name && description)
      for (const table of [undefined, model('table').findOne({ name: 'users' })])
        await configFields?.({ table, mode: 'show' });
  state().types.Date.fieldviews.day_filter.run('startTime');
  for (const { configFields } of ['own_number', 'sms_textarea'].map(
    (name) => state().types.String.fieldviews[name],
  ))
    configFields();
  await formOf(state().viewtemplates['Telephony chart'].configuration_workflow(), {
    table_id: model('table').findOne({ name: 'users' }).id,
  });
  return [...texts];
}

test.each(['de', 'zh'])('every text of the forms has a translation to %s', async (language) => {
  const translations = textsOf(language);
  const texts = await lookedUp();
  expect(texts).toContain('Telephony: Minimum role');
  expect(texts.filter((text) => !translations[text])).toEqual([]);
});

test.each(['de', 'zh'])('help in %s names what the lists of Saltcorn show', (language) => {
  const texts = textsOf(language);
  const { actions } = state();
  const listed = [...Object.keys(actions), ...model('trigger').when_options];
  const others = listed.flatMap((name) => texts[`Telephony: ${name}`] ?? []);
  expect(others.length).toBeGreaterThan(20);
  const quotes = (text: string) =>
    others.filter((name) => new RegExp(`[„“]${name}[“”]`).test(text));
  expect(Object.values(texts).flatMap(quotes)).toEqual([]);
  const help =
    texts[
      `Telephony: ${definitions.events.flatMap(({ replies = [] }) => replies).find(({ id }) => id === 'reply-record')?.description}`
    ];
  expect(help).toMatch(/[„“]Recording ready[“”]/);
});

test('a status, a direction and an error code are in the language of the reader', () => {
  const german = textsOf('de');
  const say = (text: string) => german[text] ?? text;
  jest.spyOn(saltcorn('data/db/state'), 'getReq__').mockReturnValue(say);
  const {
    status_badge: badge,
    in_words: words,
    error_in_words: fault,
  } = state().types.String.fieldviews;
  expect(badge.run('busy')).toContain('>besetzt<');
  expect(words.run('outbound-api')).toBe('Ausgehend (API)');
  expect(fault.run('30006')).toMatch(/^Die Nummer ist ein Festnetzanschluss/);
});

const shown: [language: string, path: string, texts: string[]][] = [
  ['de', '/plugins/configure/telephony', ['Benutzername', 'Mindestrolle', 'Verbindung prüfen']],
  ['zh', '/plugins/configure/telephony', ['用户名', '最低角色', '测试连接']],
  ['en', '/plugins/configure/telephony', ['username', 'Minimum role', 'Test connection']],
  ['de', '/actions/new', [encodeURIComponent('Sendet eine SMS.')]],
];

test.each(shown)(
  'shows %s to a browser with that language, on %s',
  async (language, path, texts) => {
    const page = await boss.get(path, { 'accept-language': language });
    expect(texts.filter((text) => !page.includes(text))).toEqual([]);
  },
);
