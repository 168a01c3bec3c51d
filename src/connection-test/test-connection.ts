import type { SettingsTest } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { oncePer } from '../async/once.ts';
import type { ListSource } from '../definition/operation.ts';
import { eachPage } from '../list/list-pages.ts';
import { isUnknownAccount, unknownResourceCode } from '../response/service-fault.ts';
import type { Context } from '../send/perform.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';
import { inEnglish } from '../text/sentence.ts';
import { settingsLocation } from '../text/settings-location.ts';
import type { Connection } from '../wire/connection.ts';

/** The result of a connection test. */
export interface ConnectionTest {
  /**
   * `untried` if the service responds but offers no list to test with, as one for sending only may. `other-sender` if everything works
   * except for the default sender.
   */
  outcome:
    | 'works'
    | 'other-sender'
    | 'untried'
    | 'wrong-settings'
    | 'wrong-credentials'
    | 'wrong-base-url'
    | 'unreachable';
  /** A sentence for the person who entered the settings. */
  message: string;
  /** If it works, the account, the host of the service, and a sender that the service may reject. The message names them, too. */
  reached?: { account: string; host: string; sender?: string };
}

const outcomes: Partial<Record<ErrorCode, ConnectionTest['outcome']>> = {
  unauthorised: 'wrong-credentials',
  'not-found': 'wrong-base-url',
  'bad-answer': 'wrong-base-url',
  rejected: 'wrong-base-url',
};

const nothingToTry = 'The service responds, but offers nothing to test the settings with.';

const sendOne = () =>
  `If this account can only send, text yourself to test the settings. Otherwise check the username and the base URL in ${inEnglish(settingsLocation())}.`;

const sourceOf = ({ path, list, of }: SettingsTest): ListSource => ({
  ...{ id: list, name: `the list of ${list}`, description: '', fields: [] },
  request: { method: 'GET', path },
  result: { of, list },
});

/** Statuses that mean that the service has no such list, or not for this account. */
const missingStatuses = new Set<number | undefined>([403, 404, 405, 410, 501]);

/** Statuses of a refusal. A service for sending only may refuse an unknown list like this. */
const refusalStatuses = new Set<number | undefined>([400, 402, 422]);

// Any web server responds like this to an unknown path, but without an error code or message of its own.
const mayBeSendOnly = ({ status, serviceCode, serviceMessage }: TelephonyError) =>
  status !== 403 &&
  serviceCode !== unknownResourceCode &&
  (serviceCode ?? serviceMessage) !== undefined;

/** Reads the first page of a list. Resolves to the error if it can't be read. */
async function tryList(context: Context, test: SettingsTest): Promise<TelephonyError | undefined> {
  try {
    await eachPage(context, sourceOf(test), {}).next();
    return undefined;
  } catch (error) {
    if (error instanceof TelephonyError && error.code !== 'aborted') return error;
    throw error;
  }
}

function works({ accountSid: account, origin }: Connection, missing: string[]): ConnectionTest {
  const { host } = new URL(origin);
  const but = missing.length > 0 ? `, but does not offer ${missing.join(' or ')}` : '';
  return {
    outcome: 'works',
    message: `The service at ${host} accepts the username and the password of the account ${account}${but}.`,
    reached: { account, host },
  };
}

function failure(connection: Connection, error: TelephonyError): ConnectionTest {
  const { code, message } = error;
  const isAccount = code === 'not-found' && isUnknownAccount(connection, error);
  return { outcome: isAccount ? 'wrong-settings' : (outcomes[code] ?? 'unreachable'), message };
}

/**
 * Tests the settings with cheap reads, one list after the other until the service has one.
 *
 * @throws {TelephonyError} with code `aborted` if the signal aborts
 */
export async function testConnection(context: Context): Promise<ConnectionTest> {
  const missing: string[] = [];
  const errors: TelephonyError[] = [];
  for (const test of definitions.settings.tests) {
    const error = await tryList(context, test);
    if (!error) return works(context.connection, missing);
    if (!missingStatuses.has(error.status) && !refusalStatuses.has(error.status))
      return failure(context.connection, error);
    missing.push(test.list);
    errors.push(error);
  }
  const [first] = errors;
  if (first && !errors.every(mayBeSendOnly)) return failure(context.connection, first);
  // The reason of a refusal may name what is wrong with the settings.
  const refused = errors.find(({ status }) => refusalStatuses.has(status));
  return { outcome: 'untried', message: `${refused?.message ?? nothingToTry} ${sendOne()}` };
}

// Once, because a service whose responses have no date won't send one later either.
const requestTime = oncePer((connection: Connection) =>
  testConnection({ connection, signal: undefined, waitSignal: undefined }),
);

/** Returns the service's time, or a little earlier. If its responses have no date, returns this machine's time. */
export async function serviceTime(connection: Connection): Promise<Date> {
  const knownTime = () => connection.clock.at(performance.now())?.earliest;
  if (knownTime() === undefined) await requestTime(connection);
  return new Date(knownTime() ?? Date.now());
}
