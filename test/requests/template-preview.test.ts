import {
  actionOf,
  Batches,
  type BatchSection,
  batchPart,
  batchView,
  connect,
  fieldTypes,
  inEnglish,
  memoryStore,
  type RowItem,
  type Telephony,
} from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';

const variables = ['1=Grace\n2=1002', '1=Ada\n2=1001'];
const second = 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002';

/** What a batch with a template shows before it is sent. */
async function sectionsOf(account: Telephony, contentSid: string, each: string[]) {
  const action = actionOf('send-a-template');
  const items = each.map((contentVariables, index): RowItem => {
    const to = `+1202555010${index}`;
    const variables = String(fieldTypes.map.clean(contentVariables));
    return {
      ...{ who: to, outcome: 'waiting' },
      values: { to, contentSid, contentVariables: variables },
    };
  });
  const batches = new Batches<undefined>(memoryStore(), { account: () => account });
  const press = { owner: '1', actionId: action.id, button: 'one', context: undefined };
  const batch = await batches.openPreview(press, { items });
  const view = batchView(action, batch, await batches.previousOf(batch));
  const { sections } = batchPart(action, view, {
    ...{ name: 'App', toRepeat: () => ({ text: 'repeat it' }) },
  });
  return sections;
}

const warningsIn = (sections: BatchSection[]) =>
  sections
    .filter(({ tone }) => tone === 'warning')
    .map(({ sentences, names = [] }) => [...sentences, ...names].map((one) => inEnglish(one)));

test.each([
  [second, variables, 'Hi Grace, your order 1002 is on its way.'],
  [second, ['1=Grace', '1=Ada'], 'Hi Grace, your order 1001 is on its way.'],
  ['HX1', variables, undefined],
])(
  'the preview of a batch with the template %s and %j has its text: %s',
  async (contentSid, each, text) => {
    const sandbox = await openSandbox();
    const { username, password, url: baseUrl } = sandbox;
    const telephony = connect({ username, password, baseUrl, contentUrl: baseUrl });
    const sections = await sectionsOf(telephony, contentSid, each);
    const example = sections.flatMap((section) => section.example ?? []);
    expect(example.filter(([label]) => label.text === 'Body')).toEqual(
      text === undefined ? [] : [[{ text: 'Body' }, text]],
    );
  },
);

const example = (name: string, text: string) =>
  ` no value for {{${name}}}. The service sends the example “${text}” instead:`;
const many = Array.from({ length: 200 }, () => '1=Ada');

test.each<[what: string, contentSid: string, each: string[], warnings: unknown[]]>([
  ['all variables', second, variables, []],
  ['a template without variables', 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0001', [''], []],
  ['one variable more', second, ['1=Ada\n2=7\n3=x'], []],
  [
    'a variable that one row lacks',
    second,
    ['1=Ada\n2=7', '1=Bob'],
    [[`1 row has${example('2', '1001')}`, '+12025550101']],
  ],
  [
    'variables that different rows lack',
    second,
    ['2=7', '', '1=Cleo'],
    [
      [`2 rows have${example('1', 'Ada')}`, '+12025550100', '+12025550101'],
      [`2 rows have${example('2', '1001')}`, '+12025550101', '+12025550102'],
    ],
  ],
  [
    'a variable that 200 rows lack',
    second,
    many,
    [
      [
        `200 rows have${example('2', '1001')}`,
        ...many.slice(0, 10).map((_, index) => `+1202555010${index}`),
        'and 190 more',
      ],
    ],
  ],
  [
    'a template of another account',
    'HX1',
    ['1=Ada', '1=Bob'],
    [
      [
        'The account has no Template SID HX1, so the service refuses 2 rows:',
        '+12025550100',
        '+12025550101',
      ],
    ],
  ],
])('the preview of a batch with %s warns of it', async (_what, contentSid, each, warnings) => {
  const sandbox = await openSandbox();
  const { username, password, url: baseUrl } = sandbox;
  const telephony = connect({ username, password, baseUrl, contentUrl: baseUrl });
  expect(warningsIn(await sectionsOf(telephony, contentSid, each))).toEqual(warnings);
});

/** An account with these templates, of which the first page doesn't show all. */
const accountWith = (records: object[], more = false) => ({
  async *pages() {
    yield { records, more };
  },
});

test('a template that is perhaps on the next page of the list is not said to be missing', async () => {
  const account = accountWith([{ sid: 'HX2', body: 'Hi' }], true);
  expect(warningsIn(await sectionsOf(account as never, 'HX1', ['1=Ada']))).toEqual([]);
});

test('a list of templates that can not be read is no warning', async () => {
  const account = {
    pages() {
      throw new Error('The service is away.');
    },
  };
  expect(warningsIn(await sectionsOf(account as never, 'HX1', ['1=Ada']))).toEqual([]);
});

test('a variable without an example is missing', async () => {
  const account = accountWith([{ sid: 'HX1', body: 'Hi {{name}} and {{name}}', variables: '{}' }]);
  expect(warningsIn(await sectionsOf(account as never, 'HX1', ['']))).toEqual([
    ['1 row has no value for {{name}}:', '+12025550100'],
  ]);
});

test('variables named like what every object has are not in the text', async () => {
  const text = 'Hi {{constructor}}, {{toString}} {{__proto__}} {{name}}';
  const account = {
    async *pages() {
      yield { records: [{ sid: 'HX1', body: text }] };
    },
  };
  const sections = await sectionsOf(account as never, 'HX1', ['name=Ada']);
  expect(sections.flatMap(({ example = [] }) => example).at(-1)).toEqual([
    { text: 'Body' },
    text.replace('{{name}}', 'Ada'),
  ]);
});

test('a preview does not wait for templates that load slowly, and says so', async () => {
  jest.useFakeTimers();
  const account = {
    async *pages() {
      await new Promise(() => {});
    },
  };
  const showing = sectionsOf(account as never, 'HX1', ['name=Ada']);
  await jest.advanceTimersByTimeAsync(3000);
  const [{ sentences = [] } = {}] = await showing;
  jest.useRealTimers();
  expect(sentences.map((one) => inEnglish(one))).toEqual([
    'Send a Template for 1 row:',
    'The service is slow to respond, so “Body” is not shown.',
  ]);
});
