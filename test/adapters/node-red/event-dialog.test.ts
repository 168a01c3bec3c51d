import { prepareEvent } from '../../../plugin/node-red/editor/script.ts';
import { fillIn } from '../../../plugin/node-red/locale/translate.ts';
import type { TextValues } from '../../../plugin/node-red/locale/ui-texts.ts';

const path = '/telephony/events';

/** Opens the dialog of an event node, and returns what its elements show. */
function dialogOf(account: object, httpNodeRoot: string) {
  const shown: Record<string, string> = { '#node-input-account': 'a' };
  const element = (selector: string) => {
    const show = (text: string) => {
      shown[selector] = text;
    };
    return {
      val: (value?: string) => (value === undefined ? shown[selector] : show(value)),
      text: show,
      on: () => {},
    };
  };
  Object.assign(globalThis, {
    $: Object.assign(element, { getJSON: () => ({ done: () => {} }) }),
    RED: {
      _: (_: string, { defaultValue, ...values }: TextValues & { defaultValue: string }) =>
        fillIn(defaultValue, values),
      settings: { httpNodeRoot },
      nodes: { node: () => ({ id: 'a', ...account }) },
    },
  });
  prepareEvent({ eventPath: path, reportPath: '/report' }, 'sms-received');
  const of = (name: string) => shown[`#telephony-node-${name}`];
  return { url: of('event-address'), root: of('event-root') };
}
afterAll(() => {
  for (const name of ['$', 'RED']) Reflect.deleteProperty(globalThis, name);
});

const host = 'https://app.example.com';
const below =
  'This Node-RED receives webhooks below /red/flows. Unless a proxy adds that, end the Public URL with it.';
test.each<[publicAddress: string, httpNodeRoot: string, url: string, root: string]>([
  [host, '/', `${host}${path}/a`, ''],
  [host, '', `${host}${path}/a`, ''],
  [host, '/red/flows/', `${host}${path}/a`, below],
  [host, '/red/flows', `${host}${path}/a`, below],
  [`${host}/red/flows/`, '/red/flows/', `${host}/red/flows${path}/a`, ''],
  [`${host}/proxy/red/flows`, '/red/flows/', `${host}/proxy/red/flows${path}/a`, ''],
  ['', '/red/flows/', '', ''],
])('the public URL %p with the httpNodeRoot %p', (publicAddress, httpNodeRoot, url, root) => {
  expect(dialogOf({ publicAddress }, httpNodeRoot)).toEqual({ url, root });
});
