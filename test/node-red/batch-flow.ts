import { join } from 'node:path';
import { root } from '../support/root.ts';
import { until } from '../support/until.ts';
import { nodeOf } from './node-of.ts';
import { type NodeRedServer, startNodeRedServer } from './node-red-server.ts';

export const account = 'desk-account';

export const place = { z: 'app', x: 0, y: 0 };

/** An entry of the flow, to which tests post JSON. */
export const way = (path: string, ...wires: string[]) => ({
  ...{ id: `way-${path}`, type: 'http in', method: 'post', url: `/${path}` },
  ...{ ...place, wires: [wires] },
});

const answer = (id: string) => ({ id, type: 'http response', ...place, wires: [] });

export const operation = (id: string, type: string, properties: object, ...wires: string[]) => ({
  ...{ id, ...nodeOf(type), account, ...properties },
  ...{ ...place, wires: [wires] },
});

/** An input that is bound to a value. */
export const bound = (key: string, value: string, type = 'msg') => ({
  [`input${key}`]: value,
  [`typeOf${key}`]: type,
});

/** Passes on messages whose client waits for a response. */
const answered = (id: string) => ({
  ...{ id, type: 'switch', ...place, wires: [['answer']] },
  ...{ property: 'res', propertyType: 'msg', rules: [{ t: 'nnull' }], outputs: 1 },
});

/** Converts the posted data to a message to a batch. */
const asked = (id: string, ...rules: object[]) => ({
  ...{ id, type: 'change', ...place, wires: [['each-row']] },
  rules: [
    ...['start', 'stop', 'show', 'batch', 'skipSent'].map((p) => ({
      ...{ t: 'set', p, pt: 'msg', to: `payload.${p}`, tot: 'msg' },
    })),
    { t: 'set', p: 'payload', pt: 'msg', to: 'payload.rows', tot: 'msg' },
    ...rules,
  ],
});

/** A flow that texts each row of a message, triggered by HTTP. */
export const batchFlow = [
  answer('answer'),
  answer('accepted'),
  way('batch', 'ask'),
  asked('ask'),
  // The batch continues after the response.
  way('batch-start', 'accepted', 'start'),
  asked('start', { t: 'delete', p: 'res', pt: 'msg' }, { t: 'delete', p: 'req', pt: 'msg' }),
  {
    ...operation('each-row', 'send-sms-for-each-row', {
      ...{ inputFrom: '+14155550100', inputBody: 'Hello', ...bound('To', 'payload.phone') },
      ...{ rowKey: 'id', rowName: 'name' },
    }),
    wires: [['with-key'], ['with-key'], ['with-key']],
  },
  {
    ...{ id: 'with-key', type: 'change', ...place, wires: [['shown']] },
    rules: [{ t: 'set', p: 'payload.batch', pt: 'msg', to: 'batch', tot: 'msg' }],
  },
  answered('shown'),
  {
    ...{
      id: 'batch-failed',
      type: 'catch',
      ...place,
      scope: ['each-row'],
      wires: [['batch-said']],
    },
  },
  {
    ...{ id: 'batch-said', type: 'change', ...place, wires: [['shown']] },
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'error', tot: 'msg' }],
  },
];

export type Post = (path: string, body: object) => Promise<string>;

/** The flow's report of a batch. */
interface Shown {
  state: string;
  text: string;
  label?: string;
  rows?: { key?: string; who: string; outcome: string }[];
}

/** Posts rows to the flow, and whether to skip those of a finished batch. Resolves to the preview and the possible next steps. */
export async function previewBatch(post: Post, rows: unknown, skipSent = true) {
  const said = await post('/batch', { rows, skipSent });
  const { batch, ...preview } = JSON.parse(said) as Shown & { batch: object };
  const shown = async (): Promise<Shown> => JSON.parse(await post('/batch', { show: true, batch }));
  return {
    said,
    preview: preview.state === 'preview' ? preview : undefined,
    shown,
    start: async () => void (await post('/batch-start', { start: true, batch })),
    stop: async () => void (await post('/batch-start', { stop: true, batch })),
    async result(): Promise<Shown> {
      let now = await shown();
      await until(async () => {
        now = await shown();
        return ['ended', 'interrupted'].includes(now.state);
      });
      return now;
    },
  };
}

/** A Node-RED with a flow that texts each row. */
interface BatchFlowServer {
  server: NodeRedServer;
  post: Post;
  /** Does something that starts its flows, and resolves when they have started. */
  started(act: () => Promise<unknown>): Promise<void>;
}

/**
 * Starts a Node-RED with a flow that texts each row.
 *
 * @param node properties of the node that texts
 */
export async function openBatchFlow(
  { password, ...settings }: { password: string },
  node: object = {},
): Promise<BatchFlowServer> {
  const server = await startNodeRedServer(['--module', join(root, 'dist/node-red')], {});
  const starts = () => server.written().split('Started flows').length;
  const headers = { 'content-type': 'application/json' };
  const post: Post = async (path, body) => {
    const options = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(server.url + path, options)).text();
  };
  async function started(act: () => Promise<unknown>) {
    const before = starts();
    await act();
    await until(() => starts() > before);
  }
  await started(() =>
    post('/flows', [
      { id: account, type: 'telephony-account', ...settings, credentials: { password } },
      { id: 'app', type: 'tab', label: 'App' },
      ...batchFlow.map((one) => (one.id === 'each-row' ? { ...one, ...node } : one)),
    ]),
  );
  return { server, post, started };
}
