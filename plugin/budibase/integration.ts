import {
  isAction,
  type Operation,
  operations,
  pickSettings,
  sharedAccount,
  TelephonyError,
  testSettings,
} from '../../src/builder.ts';
import { act } from './action.ts';
import { read } from './data-source.ts';
import { readInput, readLimit } from './read-query.ts';

type Values = Record<string, unknown>;

/**
 * Times in milliseconds. Budibase kills a query's process after 15 seconds, and with it the other queries of the process: the plugin has
 * to be done before, including the check of the message log.
 */
const limits = {
  ...{ idleTimeoutMs: 5_000, timeoutMs: 5_000, retryBudgetMs: 2_000 },
  confirmTimeoutMs: 4_000,
};
const waitMs = 2_000;
const readMs = 12_000;

/** Runs an operation until a time. */
async function within<Result>(ms: number, work: (signal: AbortSignal) => Promise<Result>) {
  const signal = AbortSignal.timeout(ms);
  try {
    return await work(signal);
  } catch (error) {
    if (!(error instanceof TelephonyError) || error.code !== 'aborted') throw error;
    throw new TelephonyError('timeout', 'The service is slow to respond. Try again in a moment.');
  }
}

async function runQuery(settings: Values, operation: Operation, query: Values): Promise<object[]> {
  const telephony = sharedAccount({ ...pickSettings(settings), limits });
  const input = readInput(operation, query);
  if (isAction(operation))
    return [await within(waitMs, (signal) => act(telephony, operation, input, signal))];
  const limit = readLimit(query);
  return within(readMs, (signal) => read(telephony, operation, input, limit, signal));
}

/** The data source. Budibase creates one for each query, and calls the method that is named like the query's kind. */
export class TelephonyIntegration {
  readonly #settings: Values;

  constructor(settings: Values) {
    this.#settings = settings;
    for (const operation of operations)
      Object.assign(this, {
        // As JSON: Budibase sends records to another process, and the first of two equal clicks must return what the second one does.
        [operation.id]: async (query: Values) =>
          JSON.parse(JSON.stringify(await runQuery(settings, operation, query))),
      });
  }

  /** Tests the settings, for Budibase's button. */
  async testConnection(): Promise<{ connected: boolean; error?: string }> {
    const { outcome, message } = await testSettings(this.#settings);
    return outcome === 'works' ? { connected: true } : { connected: false, error: message };
  }
}
