import { keepsPromises } from '../promises/keeps-promises.ts';
import { type QueryBuilder, queryApp } from '../promises/query-app.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { filledIn, openServer, type Result } from './tooljet.ts';

function openToolJet(): QueryBuilder {
  const folder = temporaryFolder('tooljet');
  const server = openServer('context', folder);

  /** What ToolJet shows of a result: the data, or the message. */
  function shown(result: Result, log: (text: string) => void) {
    const said = JSON.stringify(result);
    log(said);
    return result.status === 'ok'
      ? JSON.stringify(result.data ?? result)
      : (result.message ?? said);
  }

  return {
    ...{ name: 'ToolJet', folder, phone: '{{phone}}' },
    missing: ['{{caler}}', '{{caller.number}}', '', ' ', '{{caller}}{{number}}', '+{{caller}}'],
    async run(id, fields, values, settings, log) {
      const query = filledIn({ operation: id, ...fields }, { ...values });
      return shown(await server.run(settings, query), log);
    },
    testConnection: async (settings, log) => shown(await server.testConnection(settings), log),
  };
}

keepsPromises('tooljet', async (service) => queryApp(service, openToolJet()));
