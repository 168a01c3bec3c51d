import type { Builder } from '../builder.ts';

export const gateway: Builder = {
  name: 'the gateway',
  folder: import.meta.dirname,
  size: 'nothing more, a second',
  hasNoLogin: true,
  args: ({ home, port, plugin }) => ['--home', home, '--port', port, '--module', plugin],
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(account ?? sandboxAccount),
  }),
  eventPath: '/v1/events/webhook',
  pages: (url) => [
    ['How to', url],
    ['OpenAPI', `${url}/openapi.json`],
  ],
  tryFirst: [
    'In another terminal, in this folder: . .demo/gateway/variables',
    'Open the first page, and copy a command from it into that terminal.',
    'Run the command of an action twice with the same Idempotency-Key: it is sent once.',
  ],
  tryWithSandbox: [
    'Simulate an incoming SMS, then read it: curl "$GATEWAY/v1/events?cursor=start" -H "Authorization: Bearer $KEY"',
  ],
};
