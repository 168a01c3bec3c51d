import { keepsPromises } from '../promises/keeps-promises.ts';
import { type QueryBuilder, queryApp } from '../promises/query-app.ts';
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

function openBudibase(): QueryBuilder {
  const { plugin } = unpack();
  const { run, folder } = openFarm();
  return {
    ...{ name: 'Budibase', folder, phone: '{{ phone }}' },
    missing: ['{{ caler }}', '{{ caller.number }}', '', ' ', '{{ caller }}{{ number }}'],
    // In one of the processes.
    async run(kind, fields, parameters, settings, log) {
      const rows = run({ plugin, settings, kind, query: filledIn(fields, parameters) });
      const said = await rows.then(JSON.stringify, (error: Error) => {
        log(JSON.stringify([error.stack, Object.entries(error)]));
        return error.message;
      });
      log(said);
      return said;
    },
    testConnection(settings, log) {
      return this.run('testConnection', {}, {}, settings, log);
    },
  };
}

keepsPromises('budibase', async (service) => queryApp(service, openBudibase()));
