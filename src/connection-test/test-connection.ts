import type { SettingsTest } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { oncePer } from '../async/once.ts';
import type { ListSource } from '../definition/operation.ts';
import { eachPage } from '../list/list-pages.ts';
import { isUnknownAccount, unknownResourceCode } from '../response/service-fault.ts';
import type { Context } from '../send/perform.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';
import { inEnglish, type Said, type Sentence, sentence, withSentence } from '../text/sentence.ts';
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

const nothingToTry = sentence(
  'The service responds, but offers nothing to test the settings with.',
);

const sendOne = () =>
  sentence(
    'If this account can only send, text yourself to test the settings. Otherwise check the username and the base URL in {settings}.',
    { settings: settingsLocation() },
  );

/** What people call the lists and their records. */
const names: Record<string, { list: Sentence; records: Sentence }> = {
  calls: { list: sentence('the list of calls'), records: sentence('calls') },
  messages: { list: sentence('the list of messages'), records: sentence('messages') },
};

const namesOf = (list: string) =>
  names[list] ?? { list: { text: `the list of ${list}` }, records: { text: list } };

/** Returns a result whose message a builder can translate. */
const resultOf = (
  outcome: ConnectionTest['outcome'],
  said: Said,
  reached?: ConnectionTest['reached'],
): ConnectionTest =>
  withSentence({ outcome, message: inEnglish(said), ...(reached && { reached }) }, said);

const sourceOf = ({ path, list, of }: SettingsTest): ListSource => ({
  ...{ id: list, name: namesOf(list).list.text, description: '', fields: [] },
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
  const lacking = missing.map((list) => namesOf(list).records);
  const said = lacking[0]
    ? sentence(
        'The service at {host} accepts the username and the password of the account {account}, but does not offer {records}.',
        {
          ...{ host, account },
          records: lacking.reduce((one, other) => sentence('{one} or {other}', { one, other })),
        },
      )
    : sentence(
        'The service at {host} accepts the username and the password of the account {account}.',
        { host, account },
      );
  return resultOf('works', said, { account, host });
}

function failure(connection: Connection, error: TelephonyError): ConnectionTest {
  const { code, said } = error;
  const isAccount = code === 'not-found' && isUnknownAccount(connection, error);
  return resultOf(isAccount ? 'wrong-settings' : (outcomes[code] ?? 'unreachable'), said);
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
  const values = { first: refused?.said ?? nothingToTry, next: sendOne() };
  return resultOf('untried', sentence('{first} {next}', values));
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
