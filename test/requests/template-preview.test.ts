import {
  actionOf,
  Batches,
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

test.each([
  [second, variables, 'Hi Grace, your order 1002 is on its way.'],
  [second, ['1=Grace', '1=Ada'], 'Hi Grace, your order {{2}} is on its way.'],
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
