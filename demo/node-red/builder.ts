import { join } from 'node:path';
import type { Builder } from '../builder.ts';

const folder = import.meta.dirname;

export const nodeRed: Builder = {
  name: 'Node-RED',
  folder,
  size: '230 MB, half a minute',
  // A desk with a real account must not be open to everyone on this machine.
  args: ({ home, port, login, plugin, account }) => [
    ...['--home', home, '--port', port, '--admin', login.email],
    ...['--module', plugin, '--flow', join(folder, 'desk.json')],
    ...(account ? ['--guard'] : ['--flow', join(folder, 'simulate.json')]),
  ],
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(account ?? sandboxAccount),
  }),
  eventPath: '/telephony/events/desk-account',
  pages: (url) => [
    ['Dashboard', `${url}/dashboard`],
    ['Editor', url],
  ],
  tryFirst: [
    'Open the dashboard: the desk lists the calls of the account.',
    'Click a call in progress, and record it.',
    'Send an SMS with the form next to the list.',
    'In the editor, drag a node from “telephony” in the palette onto the flow.',
  ],
  tryWithSandbox: [
    'On the page Inbox, simulate an incoming SMS: it comes in, and is answered. Click it to see the conversation.',
  ],
};
