import {
  actionOf,
  Batches,
  batchPart,
  batchView,
  connect,
  fieldTypes,
  memoryStore,
  type RowItem,
} from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';

const variables = ['1=Grace\n2=1002', '1=Ada\n2=1001'];
test.each([
  ['HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002', variables, 'Hi Grace, your order 1002 is on its way.'],
  [
    'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002',
    ['1=Grace', '1=Ada'],
    'Hi Grace, your order {{2}} is on its way.',
  ],
  ['HX1', variables, undefined],
])(
  'the preview of a batch with the template %s and %j has its text: %s',
  async (contentSid, each, text) => {
    const sandbox = await openSandbox();
    const { username, password, url: baseUrl } = sandbox;
    const telephony = connect({ username, password, baseUrl, contentUrl: baseUrl });
    const action = actionOf('send-a-template');
    const items = each.map((contentVariables, index): RowItem => {
      const to = `+1202555010${index}`;
      return {
        who: to,
        outcome: 'waiting',
        values: {
          to,
          contentSid,
          contentVariables: String(fieldTypes.map.clean(contentVariables)),
        },
      };
    });
    const batches = new Batches<undefined>(memoryStore(), { account: () => telephony });
    const press = { owner: '1', actionId: action.id, button: 'one', context: undefined };
    const batch = await batches.openPreview(press, { items });
    const view = batchView(action, batch, await batches.previousOf(batch));
    const shown = batchPart(action, view, {
      ...{ name: 'App', toRepeat: () => ({ text: 'repeat it' }) },
    });
    const example = shown.sections.flatMap((section) => section.example ?? []);
    expect(example.filter(([label]) => label.text === 'Body')).toEqual(
      text === undefined ? [] : [[{ text: 'Body' }, text]],
    );
  },
);
