import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Typed } from '../promises/app.ts';
import { keepsPromises } from '../promises/keeps-promises.ts';
import type { Service } from '../promises/service.ts';
import { load, openFarm } from './farm.ts';
import { unpack } from './unpack.ts';

const { processStringSync } = load('@budibase/string-templates');

/** Fills in the bindings of a query like Budibase. */
const filledIn = (fields: Record<string, string>, parameters: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([key, text]) => [
      key,
      processStringSync(text, parameters, { noEscaping: true, noHelpers: true }),
    ]),
  );

/** Bindings without a value. */
const missing = ['{{ caler }}', '{{ caller.number }}', '', ' ', '{{ caller }}{{ number }}'];

const notHere = () => {
  throw new Error('Budibase does this around the plugin.');
};

async function openInBudibase(service: Service): Promise<App> {
  const { plugin } = unpack();
  const { run, folder } = openFarm();
  let settings: object = service.settings;
  let output = '';

  /** Runs a query in one of the processes, and returns what Budibase shows: the rows or the error's message. */
  async function query(kind: string, values: object, typed: object = settings): Promise<string> {
    const rows = run({ plugin, settings: typed, kind, query: values });
    const said = await rows.then(JSON.stringify, (error: Error) => {
      output += JSON.stringify([error.stack, Object.entries(error)]);
      return error.message;
    });
    output += said;
    return said;
  }

  const from = '+14155550100';
  const sms = (to: string, body: string, parameters: object = {}) =>
    query('send-sms', filledIn({ from, to, body }, parameters));
  const recordings = (binding: string, parameters: object = {}) =>
    query('recordings-by-caller-id', filledIn({ from: binding, limit: '1000' }, parameters));
  const withTyped = (typed: Typed) => ({ ...service.settings, ...typed });

  return {
    get page() {
      return notHere();
    },
    async send({ to, body }, clicks = 1) {
      const said = await Promise.all(Array.from({ length: clicks }, () => sms(to, body)));
      // What the action's success message says in the other builders.
      return said
        .map((text) => (text.startsWith('[') ? `${JSON.parse(text)[0].status} to ${to}` : text))
        .join('\n');
    },
    sendTo: (values) => sms('{{ phone }}', 'Hello', values),
    recordingsOf: (values) => recordings('{{ phone }}', values),
    boundToNothing: Object.fromEntries(
      missing.map((binding) => [JSON.stringify(binding), () => recordings(binding)]),
    ),
    // An automation's history shows the step's values and its error.
    sendUnattended: async ({ to, body }) => {
      output += `${to}: ${await sms(to, body)}`;
    },
    log: async () => output,
    async saveSettings(typed) {
      settings = withTyped(typed);
      return 'Saved.';
    },
    testConnection: (typed) => query('testConnection', {}, withTyped(typed)),
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

keepsPromises('budibase', openInBudibase);
