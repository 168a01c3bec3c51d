import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Action,
  checkInput,
  clicks,
  definitions,
  purgeHourly,
  storeHash,
  type Telephony,
} from '../../src/builder.ts';
import { openStore } from './store.ts';

type Row = Record<string, unknown>;

const folder = join(tmpdir(), `budibase-${definitions.manifest.id}`);

let shared: ReturnType<typeof clicks<Row>> | undefined;

function openClicks() {
  shared = clicks<Row>(openStore(join(folder, 'actions.sqlite')));
  purgeHourly(shared.expire);
  return shared;
}

/**
 * Runs an action once, even if Budibase runs a query twice: for a double click, or in another process if the first one ended. Equal actions
 * within two seconds count as one.
 *
 * @param waitSignal aborts the wait for a slot
 * @throws {TelephonyError} with code `unknown-outcome` if the first process ended before it had a result
 */
export function act(
  telephony: Telephony,
  action: Action,
  input: object,
  waitSignal: AbortSignal,
): Promise<Row> {
  const values = checkInput(action, input, telephony.cleanPhone);
  const key = storeHash(telephony.account, action.id, JSON.stringify(values));
  return (shared ?? openClicks()).once(key, async () => ({
    ...(await telephony.run(action.id, input, { waitSignal })),
  }));
}
