import { join } from 'node:path';
import type { Builder } from '../builder.ts';

const folder = import.meta.dirname;

export const n8n: Builder = {
  name: 'n8n',
  folder,
  size: '2.8 GB, ten minutes',
  isHeavy: true,
  args: ({ home, port, login, plugin, account }) => [
    ...['--home', home, '--port', port, '--admin', login.email, '--module', plugin],
    ...['--workflows', join(folder, 'desk.json')],
    // With a real account, nothing may start by itself.
    ...(account ? [] : ['--workflows', join(folder, 'inbox.json'), '--activate']),
  ],
  env: ({ account, sandboxAccount }) => ({
    PLUGIN_CONFIGURATION: JSON.stringify(account ?? sandboxAccount),
  }),
  eventPath: '/webhook/desk/events',
  pages: (url) => [
    ['Workflows', `${url}/home/workflows`],
    ['Form', `${url}/form/text-someone`],
  ],
  tryFirst: [
    'Open the workflow “Calls of the account”, and execute it.',
    'Open the form, and send an SMS with it.',
    'In the workflow “An agent that texts”, enter a key of a model, and ask the agent to text someone.',
  ],
  tryWithSandbox: [
    'Open /form/simulate-an-sms and simulate an incoming SMS: the workflow “Answer an SMS” answers it.',
  ],
};
