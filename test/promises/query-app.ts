import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Typed } from './app.ts';
import type { Service } from './service.ts';

/** A builder whose queries run by themselves, without pages, tables and users of the plugin's own. */
export interface QueryBuilder {
  name: string;
  /** The folder in which the plugin stores actions. */
  folder: string;
  /** The binding of `phone`. */
  phone: string;
  /** Bindings without a value. */
  missing: string[];
  /**
   * Runs a query, and returns what the builder shows: the rows as JSON, or the error's message.
   *
   * @param fields the query's fields, with bindings to the values
   * @param log takes everything that the builder gets
   */
  run(
    id: string,
    fields: Record<string, string>,
    values: object,
    settings: object,
    log: (text: string) => void,
  ): Promise<string>;
  testConnection(settings: object, log: (text: string) => void): Promise<string>;
}

/** An app of such a builder. */
export function queryApp(service: Service, builder: QueryBuilder): App {
  const { name, folder, phone, missing } = builder;
  let settings: object = service.settings;
  let output = '';

  const log = (text: string) => {
    output += text;
  };
  const notHere = () => {
    throw new Error(`${name} does this around the plugin.`);
  };
  const query = (id: string, fields: Record<string, string>, values: object = {}) =>
    builder.run(id, fields, values, settings, log);
  const sms = (to: string, body: string, values?: object) =>
    query('send-sms', { from: '+14155550100', to, body }, values);
  const recordings = (from: string, values?: object) =>
    query('recordings-by-caller-id', { from, limit: '1000' }, values);
  const withTyped = (typed: Typed) => ({ ...service.settings, ...typed });

  return {
    get page() {
      return notHere();
    },
    async send({ to, body }, clicks = 1) {
      const shown = await Promise.all(Array.from({ length: clicks }, () => sms(to, body)));
      // What the action's success message says in the other builders.
      return shown
        .map((text) =>
          /^[[{]/.test(text) ? `to ${to} ${[JSON.parse(text)].flat()[0].status}` : text,
        )
        .join('\n');
    },
    sendTo: (values) => sms(phone, 'Hello', values),
    recordingsOf: (values) => recordings(phone, values),
    boundToNothing: Object.fromEntries(
      missing.map((binding) => [JSON.stringify(binding), () => recordings(binding)]),
    ),
    // An automation's history shows the step's values and its error.
    sendUnattended: async ({ to, body }) => log(`${to}: ${await sms(to, body)}`),
    log: async () => output,
    async saveSettings(typed) {
      settings = withTyped(typed);
      return 'Saved.';
    },
    testConnection: (typed) => builder.testConnection(withTyped(typed), log),
    audioUrl: notHere,
    openPages: notHere,
    everything: async () => {
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name: file }) => join(parentPath, file));
      return {
        ...Object.fromEntries(files.map((file) => [file, readFileSync(file, 'latin1')])),
        'the results': output,
      };
    },
    stranger: { send: notHere, recordings: notHere, listen: notHere, testConnection: notHere },
  };
}
