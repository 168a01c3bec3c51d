import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { until } from '../../support/until.ts';
import type { NocobaseServer } from '../nocobase-server.ts';
import { addWorkflowOnTable } from '../workflow-on-table.ts';

interface Opened {
  sandbox: Sandbox;
  server: NocobaseServer;
  settings: object;
}

/** The next request to the service, which gets no response. */
const nextAt = (proxy: ReverseProxy) =>
  new Promise<ServerResponse>((resolve) => {
    proxy.handler = (_, answer) => resolve(answer);
  });

/** Less than the plugin's own timeout, after which a request would end anyway. */
const timeoutMs = 15_000;

/** Tests that requests to the service end once no one waits for them. */
export function stopsRequests(opened: () => Opened): void {
  let proxy: ReverseProxy;
  const save = (more: object) => {
    const { server, settings } = opened();
    return server.admin.ask('telephonyAccounts:save', { ...settings, key: 'telephony', ...more });
  };
  beforeAll(async () => {
    proxy = await proxyTo(opened().sandbox.url);
    await save({ baseUrl: proxy.url });
  });
  afterAll(() => save({}));

  test.each([
    ['a list', 'calls_by_caller_id:list', { pageSize: 20 }],
    ['a record', 'calls_by_caller_id:get', { filterByTk: 'CA0123456789abcdef0123456789abcdef' }],
    ['a list with a single record', 'view_a_call:list', { filter: { sid: 'CA1' } }],
  ])(
    'when a browser that waits for %s disconnects',
    async (_, action, query) => {
      const leaving = new AbortController();
      const request = nextAt(proxy);
      const read = opened().server.admin.read('telephony', action, query, leaving.signal);
      const isEnded = once(await request, 'close');
      leaving.abort();
      await expect(read).rejects.toThrow(/aborted/);
      await isEnded;
    },
    timeoutMs,
  );

  test(
    'when a workflow times out, whose next node then does not run',
    async () => {
      const { server, sandbox } = opened();
      const sms = { from: '+15005550006', to: '+12025550101', body: 'Too late.' };
      const workflow = await addWorkflowOnTable(server.admin, {
        ...{ name: 'limited', columns: ['to'], isAwaited: false },
        nodes: [
          { type: 'telephony-calls-by-caller-id', input: { status: 'busy' } },
          { type: 'telephony-send-sms', input: sms },
        ],
      });
      const options = { timeout: 500 };
      await server.admin.ask(`workflows:update?filterByTk=${workflow}`, { options });
      const request = nextAt(proxy);
      await server.admin.ask('limited:create', { to: '+12025550101' });
      await once(await request, 'close');
      proxy.handler = (_, __, forward) => forward();
      const ended = async () => {
        const [last] = (await server.admin.ask('executions:list?sort=-id&pageSize=1')) as {
          status: number | null;
        }[];
        return last?.status;
      };
      await until(async () => Boolean(await ended()));
      expect(await ended()).toBeLessThan(0);
      expect(sandbox.messages.filter(({ body }) => body === sms.body)).toEqual([]);
    },
    timeoutMs,
  );
}
