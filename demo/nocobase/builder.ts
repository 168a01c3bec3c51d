import { join } from 'node:path';
import type { Builder } from '../builder.ts';
import { findPostgresql, postgresqlAdvice } from '../find-postgresql.ts';

const folder = import.meta.dirname;

export const nocobase: Builder = {
  name: 'NocoBase',
  folder,
  size: '1 GB, some minutes',
  isHeavy: true,
  missing: () => {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      return 'NocoBase is installed here for Linux on x64 only.';
    if (!findPostgresql())
      return `NocoBase needs PostgreSQL, which is not here. ${postgresqlAdvice}`;
    return undefined;
  },
  args: ({ home, port, login, plugin, sandboxAccount }) => [
    ...['--home', home, '--port', port, '--admin', login.email],
    ...['--plugin', plugin, '--desk', join(folder, 'desk.json')],
    ...['--customers', join(folder, '../customers.json')],
    ...(sandboxAccount
      ? ['--desk', join(folder, 'inbox.json'), '--sandbox', sandboxAccount.baseUrl]
      : []),
  ],
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(account ?? sandboxAccount),
  }),
  eventPath: '/api/telephony/events/telephony',
  pages: (url) => [
    ['Open', `${url}/v/`],
    ['Settings', `${url}/v/admin/settings/telephony`],
  ],
  tryFirst: [
    'Log in: the calls of the account are a table, which can be filtered.',
    'Send an SMS with the button above it, or to the caller of a row.',
    'Open a customer: their calls, recordings and messages. Add one: a workflow texts them.',
    'Look at the charts of the last week.',
    'Choose the status in-progress, and record a call; open it to play what is recorded.',
    'With the pen at the top right, change the page, or add another one.',
  ],
  tryWithSandbox: ['On the page Inbox, simulate an incoming SMS: it comes in, and is answered.'],
};
