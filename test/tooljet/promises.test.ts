import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Typed } from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filledIn, openServer, type Query, type Result } from './tooljet.ts';

/** Bindings without a value. */
const missing = ['{{caler}}', '{{caller.number}}', '', ' ', '{{caller}}{{number}}', '+{{caller}}'];

const notHere = () => {
  throw new Error('ToolJet does this around the plugin.');
};

async function openInToolJet(service: Service): Promise<App> {
  const folder = temporaryFolder('tooljet');
  const server = openServer('context', folder);
  let settings: object = service.settings;
  let output = '';

  /** What ToolJet shows of a result: the data, or the message. */
  const shown = (result: Result) => {
    const said = JSON.stringify(result);
    output += said;
    return result.status === 'ok'
      ? JSON.stringify(result.data ?? result)
      : (result.message ?? said);
  };
  const query = async (values: Query, typed: object = settings) =>
    shown(await server.run(typed, values));

  const from = '+14155550100';
  const sms = (to: string, body: string, values: Record<string, unknown> = {}) =>
    query(filledIn({ operation: 'send-sms', from, to, body }, values));
  const recordings = (binding: string, values: Record<string, unknown> = {}) =>
    query(filledIn({ operation: 'recordings-by-caller-id', from: binding, limit: '1000' }, values));
  const withTyped = (typed: Typed) => ({ ...service.settings, ...typed });

  return {
    get page() {
      return notHere();
    },
    async send({ to, body }, clicks = 1) {
      const said = await Promise.all(Array.from({ length: clicks }, () => sms(to, body)));
      // What the action's success message says in the other builders.
      return said
        .map((text) => (text.startsWith('{') ? `${JSON.parse(text).status} to ${to}` : text))
        .join('\n');
    },
    sendTo: (values) => sms('{{phone}}', 'Hello', { ...values }),
    recordingsOf: (values) => recordings('{{phone}}', { ...values }),
    boundToNothing: Object.fromEntries(
      missing.map((binding) => [JSON.stringify(binding), () => recordings(binding)]),
    ),
    sendUnattended: async ({ to, body }) => {
      output += `${to}: ${await sms(to, body)}`;
    },
    log: async () => output,
    async saveSettings(typed) {
      settings = withTyped(typed);
      return 'Saved.';
    },
    testConnection: async (typed) => shown(await server.testConnection(withTyped(typed))),
    audioUrl: notHere,
    openPages: notHere,
    everything: async () => {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name));
      return {
        ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')])),
        'the results': output,
      };
    },
    stranger: { send: notHere, recordings: notHere, listen: notHere, testConnection: notHere },
  };
}

keepsPromises('tooljet', openInToolJet);
