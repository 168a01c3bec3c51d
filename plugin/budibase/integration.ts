import { operations, queryRunner, testSettings } from '../../src/builder.ts';

type Values = Record<string, unknown>;

/**
 * Times in milliseconds. Budibase kills a query's process after 15 seconds, and with it the other queries of the process: the plugin has
 * to be done before, including the check of the account's log.
 */
const limits = {
  ...{ idleTimeoutMs: 5_000, timeoutMs: 5_000, retryBudgetMs: 2_000 },
  confirmTimeoutMs: 4_000,
};

const runQuery = queryRunner({ builder: 'budibase', waitMs: 2_000, readMs: 12_000, limits });

/** The data source. Budibase creates one for each query, and calls the method that is named like the query's kind. */
export class TelephonyIntegration {
  readonly #settings: Values | undefined;

  constructor(settings?: Values) {
    this.#settings = settings;
    for (const operation of operations)
      Object.assign(this, {
        [operation.id]: (query: Values) => runQuery(settings, operation, query),
      });
  }

  /** Tests the settings, for Budibase's button. */
  async testConnection(): Promise<{ connected: boolean; error?: string }> {
    const { outcome, message } = await testSettings(this.#settings);
    return outcome === 'works' ? { connected: true } : { connected: false, error: message };
  }
}
