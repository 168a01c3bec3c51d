import desk from '../../demo/node-red/desk.json';
import type { Service } from './service.ts';

export const account = 'desk-account';

const place = { z: 'app', x: 0, y: 0 };

/** A way into the flow, to which JSON is posted. */
const way = (path: string, ...wires: string[]) => ({
  ...{ id: `way-${path}`, type: 'http in', method: 'post', url: `/${path}` },
  ...{ ...place, wires: [wires] },
});

const answer = (id: string) => ({ id, type: 'http response', ...place, wires: [] });

const operation = (id: string, type: string, properties: object, ...wires: string[]) => ({
  ...{ id, type: `telephony-${type}`, account, ...properties },
  ...{ ...place, wires: [wires] },
});

/** An input that is bound to something. */
const bound = (key: string, value: string, type = 'msg') => ({
  [`input${key}`]: value,
  [`typeOf${key}`]: type,
});

const from = { inputFrom: '+14155550100' };
const hello = { inputBody: 'Hello' };

/** Ways to bind a filter to something that is not there, by the path that leads to each. */
export const missing: Record<string, [value: string, type: string]> = {
  'nothing-in-the-flow': ['caller', 'flow'],
  'nothing-in-the-global-context': ['caller', 'global'],
  'an-unset-variable': ['NO_SUCH_VARIABLE', 'env'],
  'an-expression-without-a-result': ['payload.caler', 'jsonata'],
  'a-path-through-nothing': ['payload.caller.number', 'msg'],
  'no-property-of-the-message': ['', 'msg'],
};

/** The desk of the demo, and beside it a flow that programs on other machines talk to. */
export const flowsFor = ({ username, password, baseUrl }: Service['settings']) => [
  ...desk.map((node) =>
    node.id === account ? { ...node, username, baseUrl, credentials: { password } } : node,
  ),
  { id: 'app', type: 'tab', label: 'App' },
  way('recordings', 'recordings'),
  operation('recordings', 'recordings-by-caller-id', bound('From', 'payload.phone'), 'answer'),
  way('sms', 'sms'),
  operation('sms', 'send-sms', { ...from, ...hello, ...bound('To', 'payload.phone') }, 'answer'),
  ...Object.entries(missing).flatMap(([path, [value, type]]) => [
    way(path, path),
    operation(path, 'recordings-by-caller-id', bound('From', value, type), 'answer'),
  ]),
  answer('answer'),
  {
    ...{ id: 'failed', type: 'catch', ...place, wires: [['say']] },
    scope: ['recordings', 'sms', ...Object.keys(missing)],
  },
  {
    ...{ id: 'say', type: 'change', ...place, wires: [['answer']] },
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'error', tot: 'msg' }],
  },
  // Whoever posts here hears nothing of what becomes of it, and nothing catches what goes wrong.
  way('unattended', 'accepted', 'each'),
  answer('accepted'),
  {
    ...{ id: 'each', type: 'split', ...place, wires: [['unattended']] },
    ...{ splt: '\\n', spltType: 'str', arraySplt: 1, arraySpltType: 'len', stream: false },
  },
  operation('unattended', 'send-sms', {
    ...from,
    ...bound('To', 'payload.to'),
    ...bound('Body', 'payload.body'),
  }),
];
