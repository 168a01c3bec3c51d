import type { SettingsTest } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { unknownResource } from '../answer/service-fault.ts';
import type { ListSource } from '../definition/operation.ts';
import { eachPage } from '../list/list-pages.ts';
import type { Context } from '../perform.ts';
import { type ErrorCode, TelephonyError } from '../telephony-error.ts';
import { settingsLocation } from './settings-location.ts';

/** Whether the settings work, and if not, what is wrong with them. */
export interface ConnectionTest {
  /** `untried` where the service answers, but has nothing that could be read: it may be for sending only. */
  outcome:
    | 'works'
    | 'untried'
    | 'wrong-settings'
    | 'wrong-credentials'
    | 'wrong-base-url'
    | 'unreachable';
  /** A sentence for the person who filled in the settings. */
  message: string;
}

const outcomes: Partial<Record<ErrorCode, ConnectionTest['outcome']>> = {
  unauthorised: 'wrong-credentials',
  'not-found': 'wrong-base-url',
  'bad-answer': 'wrong-base-url',
  rejected: 'wrong-base-url',
};

const nothingToTry = 'The service responds, but offers nothing to test the settings with.';

const sendOne = () =>
  `If this account can only send, text yourself to test the settings. Otherwise check the username and the base URL in ${settingsLocation()}.`;

const sourceOf = ({ path, list, of }: SettingsTest): ListSource => ({
  ...{ id: list, name: `the list of ${list}`, description: '', fields: [] },
  request: { method: 'GET', path },
  result: { of, list },
});

/** Statuses by which a service says that it has no such list, or not for this account. */
const lacks = new Set<number | undefined>([403, 404, 405, 410, 501]);

/** By these it refuses something, which may be a list that a service for sending only does not know. */
const refuses = new Set<number | undefined>([400, 402, 422]);

// A web server of any kind has no such path either, but none of the service's codes or sentences.
const mayBeForSending = ({ status, serviceCode, serviceMessage }: TelephonyError) =>
  status !== 403 &&
  serviceCode !== unknownResource &&
  (serviceCode ?? serviceMessage) !== undefined;

/** Why a list cannot be read; undefined when it can. */
async function whyNot(context: Context, test: SettingsTest): Promise<TelephonyError | undefined> {
  try {
    await eachPage(context, sourceOf(test), {}).next();
    return undefined;
  } catch (error) {
    if (error instanceof TelephonyError && error.code !== 'aborted') return error;
    throw error;
  }
}

function works(missing: string[]): ConnectionTest {
  const but = missing.length > 0 ? `, but does not offer ${missing.join(' or ')}` : '';
  return {
    outcome: 'works',
    message: `The service accepts the username and the password${but}.`,
  };
}

const failure = ({ code, message }: TelephonyError): ConnectionTest => ({
  outcome: outcomes[code] ?? 'unreachable',
  message,
});

/**
 * Tries the settings with cheap reads, one after the other until the service has one of them.
 *
 * @throws {TelephonyError} with code `aborted` when it was stopped
 */
export async function testConnection(context: Context): Promise<ConnectionTest> {
  const missing: string[] = [];
  const errors: TelephonyError[] = [];
  for (const test of definitions.settings.tests) {
    const error = await whyNot(context, test);
    if (!error) return works(missing);
    if (!lacks.has(error.status) && !refuses.has(error.status)) return failure(error);
    missing.push(test.list);
    errors.push(error);
  }
  const [first] = errors;
  if (first && !errors.every(mayBeForSending)) return failure(first);
  // Why it refused them may be what is wrong.
  const why = errors.find(({ status }) => refuses.has(status));
  return { outcome: 'untried', message: `${why?.message ?? nothingToTry} ${sendOne()}` };
}
