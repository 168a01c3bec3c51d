import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { textKey } from '../../../plugin/node-red/locale/text-key.ts';
import { definitions } from '../../../src/builder.ts';
import { root } from '../../support/root.ts';
import { artefact, type Loose } from '../host.ts';
import { nodeOf } from '../node-of.ts';

const read = (name: string) => readFileSync(join(artefact, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const page = read('index.html');
const example: Loose[] = JSON.parse(read('examples/Telephony desk.json'));
const operations = [...definitions.dataSources, ...definitions.actions];
const types = operations.map(({ id }) => nodeOf(id).type);

// Required by Node-RED's catalogue, and checked by `node-red-dev validate`.
test('the package declares what the Node-RED catalogue requires', () => {
  expect(manifest).toMatchObject({
    name: expect.stringMatching(/^@[a-z\d][\w.-]+\/[a-z\d][\w.-]*$/),
    version: definitions.manifest.version,
    license: 'MIT',
    keywords: expect.arrayContaining(['node-red']),
    engines: { node: '>=20.13' },
    'node-red': { version: '>=4.0.0', nodes: { telephony: 'index.js' } },
  });
});

test('the tests run the major version that NODE_RED names, or 4', () => {
  const { version } = require('node-red/package.json');
  expect(version.split('.')[0]).toBe(process.env.NODE_RED ?? '4');
});

test('the package has no dependencies', () => {
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});

test('the tarball contains the files of the package and no others', () => {
  const tarball = resolve(
    artefact,
    '..',
    `telephony-plugin-node-red-${definitions.manifest.version}.tgz`,
  );
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  expect(listed.trim().split('\n').sort()).toEqual(
    [
      ...['LICENCES.txt', 'LICENSE', 'README.md'],
      ...readdirSync(resolve(root, 'docs'))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `docs/${name}`),
      'docs/builders/node-red-recipes.md',
      ...['examples/Alarm by SMS.json', 'examples/Answer an SMS.json'],
      ...['examples/Appointment confirmed by YES.json', 'examples/First SMS.json'],
      ...[
        'examples/Missed calls.json',
        'examples/Phone menu.json',
        'examples/SMS for each row.json',
      ],
      ...['examples/Telephony desk.json', 'examples/Tell me when a call was missed.json'],
      ...['examples/Text a list of people.json', 'examples/Voicemail.json', 'icon.svg'],
      ...['index.html', 'index.js'],
      ...['locales/de/index.html', 'locales/de/index.json', 'locales/en-US/index.json'],
      ...['locales/zh-CN/index.html', 'locales/zh-CN/index.json', 'package.json'],
    ]
      .map((name) => `package/${name}`)
      .sort(),
  );
});

test('the example uses nodes of this package and contains no account details', () => {
  const used = example.map(({ type }) => type).filter((type) => type.startsWith('telephony-'));
  // The account, reading, three actions and two events. The example need not contain later ones.
  expect(new Set(used).size).toBe(7);
  const events = definitions.events.map(({ id }) => `telephony-${id}`);
  expect([...types, ...events, 'telephony-account']).toEqual(expect.arrayContaining(used));
  const accounts = example.filter(({ type }) => type === 'telephony-account');
  expect(accounts).toEqual([
    {
      ...{ id: 'desk-account', type: 'telephony-account', name: '', media: true },
      ...{ username: '', accountSid: '', baseUrl: '' },
    },
  ]);
  expect(example.filter((node) => 'credentials' in node)).toEqual([]);
});

// Each imported account that isn't filled in is one more that Node-RED warns about when the user deploys.
test.each(readdirSync(join(artefact, 'examples')))(
  'the example “%s” has an account only if several nodes share it',
  (name) => {
    const nodes: Loose[] = JSON.parse(read(`examples/${name}`));
    const accounts = nodes.filter(({ type }) => type === 'telephony-account');
    const users = nodes.filter((node) => 'account' in node);
    expect(accounts).toHaveLength(users.length > 1 ? 1 : 0);
    const account = accounts[0]?.id ?? '';
    expect(users.filter((node) => node.account !== account)).toEqual([]);
  },
);

test('the example keeps the data of each dashboard visitor separate', () => {
  const base = example.find(({ type }) => type === 'ui-base');
  const configuration = ['ui-base', 'ui-theme', 'ui-page', 'ui-group'];
  const widgets = example
    .map(({ type }) => type)
    .filter((type) => type.startsWith('ui-') && !configuration.includes(type));
  expect(base.includeClientData).toBe(true);
  expect([...new Set(widgets)].sort()).toEqual(base.acceptsClientConfig.sort());
});

const doesWhat = (one: Loose, { type, operation }: ReturnType<typeof nodeOf>) =>
  one.type === type && one.operation === operation;

test('the example sets only properties that its nodes define', () => {
  const own = [
    'id',
    'type',
    'z',
    'name',
    'account',
    'operation',
    'x',
    'y',
    'wires',
    'output',
    'limit',
    'property',
  ];
  for (const { id, fields } of operations) {
    const keys = fields.map(({ key }) => key[0]?.toUpperCase() + key.slice(1));
    const known = [...own, ...keys.flatMap((key) => [`input${key}`, `typeOf${key}`])];
    for (const node of example.filter((one) => doesWhat(one, nodeOf(id))))
      expect(Object.keys(node).filter((key) => !known.includes(key))).toEqual([]);
  }
});

test.each(operations)('the editor has a palette entry, dialog and help for $name', (operation) => {
  const { type } = nodeOf(operation.id);
  const [, registered] = page.split(`RED.nodes.registerType('${type}', `);
  const [, dialog] = page.split(`data-template-name="${type}">`);
  const [, help] = page.split(`data-help-name="${type}">`);
  const { [textKey(operation.name)]: name } = JSON.parse(read('locales/en-US/index.json'));
  expect(name).toBe(operation.name);
  expect(registered?.split('</script>')[0]).toContain(`"${textKey(operation.name)}"`);
  expect(help).toContain(operation.description);
  for (const { key, help: text = '' } of operation.fields) {
    const property = `input${key[0]?.toUpperCase()}${key.slice(1)}`;
    expect(dialog?.split('</script>')[0]).toContain(`id="node-input-${property}"`);
    expect(help?.split('</script>')[0]).toContain(text);
  }
});
