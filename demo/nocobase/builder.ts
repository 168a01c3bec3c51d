import type { Builder } from '../builder.ts';
import { findPostgresql, postgresqlAdvice } from '../find-postgresql.ts';

export const nocobase: Builder = {
  name: 'NocoBase',
  folder: import.meta.dirname,
  size: '1 GB, some minutes',
  isHeavy: true,
  lacks: () =>
    findPostgresql()
      ? undefined
      : `NocoBase needs PostgreSQL, which is not here. ${postgresqlAdvice}`,
  args: ({ home, port, login, plugin }) => [
    ...['--home', home, '--port', port, '--admin', login.email, '--plugin', plugin],
  ],
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(account ?? sandboxAccount),
  }),
  pages: (url) => [
    ['Open', `${url}/v/`],
    ['Settings', `${url}/v/admin/settings/telephony`],
  ],
  tryFirst: [
    'Log in, and add a page: the pen at the top right, then “Add menu item”.',
    'Add block → Table → Telephony → Account Calls.',
    'Add an action to the table or to a row: “Send SMS”.',
  ],
};
