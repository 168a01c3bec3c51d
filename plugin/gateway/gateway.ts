import {
  connect,
  type LogStore,
  type Operation,
  operations,
  sentence,
  setSettingsLocation,
  type Telephony,
} from '../../src/builder.ts';
import type { GatewaySettings } from './settings.ts';
import { openStore } from './store.ts';

setSettingsLocation(sentence("the gateway's settings"));

/** Who calls: the holder of an API key, or the person at whose machine the gateway runs. */
export interface Caller {
  /** Identifies the caller in the store. */
  id: string;
  name: string;
  /** Whether the caller may use an operation. */
  may(operation: Operation): boolean;
}

/** Someone who may do everything that the settings allow: on the command line, the settings are theirs. */
export const owner: Caller = { id: 'owner', name: 'owner', may: () => true };

/** What all doors share: the account and the store. */
export interface Gateway {
  settings: GatewaySettings;
  store: LogStore;
  telephony: Telephony;
  /** Ends what is open. */
  close(): Promise<void>;
}

/** The operations that a caller may use, in the order of the manifest. */
export const operationsOf = (caller: Caller): Operation[] =>
  operations.filter((one) => caller.may(one));

/**
 * Opens the account and the store. Makes no request.
 *
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function openGateway(settings: GatewaySettings): Gateway {
  const { store, close } = openStore(settings);
  const { account, spending, limits } = settings;
  const telephony = connect({ ...account, spending, store, ...(limits && { limits }) });
  return { settings, store, telephony, close };
}
