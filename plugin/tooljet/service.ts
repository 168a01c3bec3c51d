import {
  isList,
  operations,
  queryRunner,
  TelephonyError,
  testSettings,
} from '../../src/builder.ts';
import { operationField } from './operations.ts';
import { QueryError } from './query-error.ts';

type Values = Record<string, unknown>;

/** Times in milliseconds. ToolJet waits for a query as long as its proxy does, which is often a minute. */
const runQuery = queryRunner({ builder: 'tooljet', waitMs: 10_000, readMs: 50_000 });

/** The data source's service. ToolJet creates one for each query. */
export class TelephonyService {
  /** Runs a query. A list is an array of records, anything else is a record. */
  async run(
    sourceOptions: Values | undefined,
    queryOptions: Values = {},
  ): Promise<{ status: 'ok'; data: object }> {
    const { [operationField]: id, ...query } = queryOptions;
    try {
      const operation = operations.find((one) => one.id === id);
      if (!operation) throw new TelephonyError('input', 'Choose an operation.');
      const rows = await runQuery(sourceOptions, operation, query);
      return { status: 'ok', data: isList(operation) ? rows : (rows[0] ?? {}) };
    } catch (error) {
      throw new QueryError(error);
    }
  }

  /** Tests the settings, for ToolJet's button. */
  async testConnection(
    sourceOptions?: Values,
  ): Promise<{ status: 'ok' | 'failed'; message: string }> {
    const { outcome, message } = await testSettings(sourceOptions);
    return { status: outcome === 'works' ? 'ok' : 'failed', message };
  }
}
