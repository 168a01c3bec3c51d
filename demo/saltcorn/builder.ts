import { join } from 'node:path';
import type { Builder } from '../builder.ts';

const folder = import.meta.dirname;

export const saltcorn: Builder = {
  name: 'Saltcorn',
  folder,
  size: '500 MB, some minutes',
  args: ({ home, port, login, plugin, sandboxAccount }) => [
    ...['--home', home, '--port', port, '--admin', login.email],
    ...['--plugin', plugin, '--pack', join(folder, 'desk.json')],
    '--scheduler',
    // The customers are callers of the sandbox.
    ...(sandboxAccount
      ? [
          ...['--customers', join(folder, '../customers.json')],
          ...['--pack', join(folder, 'inbox.json'), '--sandbox', sandboxAccount.baseUrl],
        ]
      : []),
  ],
  // A real account overrides the stored one, and is not stored.
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(
      sandboxAccount ? { ...sandboxAccount, defaultSender: '+14155550100' } : {},
    ),
    PLUGIN_FIXED_CONFIGURATION: JSON.stringify(account ?? {}),
  }),
  eventPath: '/telephony/events',
  pages: (url) => [['Open', url]],
  tryFirst: [
    'Log in: the desk lists the calls of the account.',
    'Choose the status in-progress, open a call, and record it.',
    'Send an SMS with the form next to the list.',
    'In Pages, edit the desk by drag and drop.',
  ],
  tryWithSandbox: ['On the page Inbox, simulate an incoming SMS: it comes in, and is answered.'],
};
