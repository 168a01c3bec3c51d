import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { artefact, type Host, startNodeRed } from '../host.ts';

const id = '@telephony-plugin/node-red/telephony';

let host: Host;
beforeAll(async () => {
  const copy = temporaryFolder('package');
  cpSync(artefact, copy, { recursive: true });
  const path = join(copy, 'locales/de/index.json');
  const { 'Send-SMS': _, ...others } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify(others));
  host = await startNodeRed(copy);
});

const catalogueIn = async (language: string): Promise<Record<string, string>> => {
  const answer = await fetch(`${host.url}/nodes/${id}/messages?lng=${language}`);
  return Object(await answer.json());
};

/** The help of a node, as Node-RED sends it to a browser with this language. */
async function helpIn(language: string, type: string): Promise<string> {
  const headers = { Accept: 'text/html', 'Accept-Language': language };
  const page = await (await fetch(`${host.url}/nodes`, { headers })).text();
  const [, help = ''] = page.split(`data-help-name="${type}">`);
  return help.split('</script>')[0]?.trim() ?? '';
}

test.each([
  ['en-US', 'Account Calls', 'Result to'],
  ['fr', 'Account Calls', 'Result to'],
  ['de', 'Anrufe des Kontos', 'Ergebnis in'],
  ['de-DE', 'Anrufe des Kontos', 'Ergebnis in'],
  ['zh-CN', '账户通话', '结果存入'],
])('Node-RED has the texts of dialogs in %s', async (language, name, label) => {
  const catalogue = await catalogueIn(language);
  // Node-RED has no catalogue in this language, so the editor uses English.
  const { 'Account-Calls': shown, 'Result-to': result } = {
    ...(await catalogueIn('en-US')),
    ...catalogue,
  };
  expect([shown, result]).toEqual([name, label]);
});

test('a text that a catalogue lacks is English', async () => {
  expect((await catalogueIn('de'))['Send-SMS']).toBe('Send SMS');
});

test.each([
  [
    'en-US',
    'All calls of the account, newest first. To filter them, use Calls by caller id.',
    'Outputs',
  ],
  [
    'fr',
    'All calls of the account, newest first. To filter them, use Calls by caller id.',
    'Outputs',
  ],
  [
    'de',
    'Alle Anrufe des Kontos, die neuesten zuerst. Zum Filtern gibt es „Anrufe nach Rufnummer“.',
    'Ausgänge',
  ],
  ['zh-CN', '账户的所有通话，最新的在前。如需筛选，请使用“按来电号码查询通话”。', '输出'],
])('Node-RED has the help of nodes in %s', async (language, description, heading) => {
  const help = await helpIn(language, 'telephony-read');
  expect(help).toContain(`<p>${description}</p>`);
  expect(help).toContain(`<h3>${heading}</h3>`);
});

const hints = (help: string) =>
  [...help.matchAll(/An expression can be a (\w+)/g)].map(([, what]) => what);

test.each([
  ['telephony-read', ['list', 'date']],
  ['telephony-send-a-message', []],
])('the help of %s says what an expression of its filters can be: %j', async (type, expected) => {
  expect(hints(await helpIn('en-US', type))).toEqual(expected);
});
