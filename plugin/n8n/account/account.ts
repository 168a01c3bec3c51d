import type { HttpHelpers, Values } from 'n8n-workflow';
import {
  connect,
  defaultLimits,
  memoryStore,
  oncePer,
  pickLimits,
  pickSettings,
  type Telephony,
} from '../../../src/builder.ts';
import { reportLimit } from '../event/limit-listeners.ts';
import { credentialName } from '../settings/credentials.ts';
import { httpOf } from './http.ts';

interface WithCredentials {
  getCredentials(name: string): Promise<Values>;
}

/** Returns the settings in a node's credential. */
export const settingsOf = async (context: WithCredentials) => {
  const credentials = await context.getCredentials(credentialName);
  const { authToken, statusCallback } = credentials;
  return {
    settings: pickSettings(credentials),
    limits: pickLimits(credentials),
    authToken: authToken ? String(authToken) : null,
    statusCallback: statusCallback ? String(statusCallback) : null,
  };
};

/** The items of a node are a batch: its queue decides how many are in progress. */
const limits = { concurrency: defaultLimits.batchConcurrency };

/** What accounts have sent and who opted out, in all of this process: n8n has nothing that several processes can swap. */
const store = memoryStore();

/**
 * Opens the account of a node's credential. Each run of a node has its own: n8n's helper belongs to the run.
 *
 * @param ownCallback the node's webhook URL for status reports, instead of the credential's
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export const accountOf = oncePer(
  async (
    context: WithCredentials & { helpers: HttpHelpers },
    ownCallback?: string,
  ): Promise<Telephony> => {
    const { settings, limits: spending, statusCallback } = await settingsOf(context);
    // Also the items of a run that started before someone changed the credential.
    const stopped = async () => (await settingsOf(context)).limits.stopped ?? false;
    const telephony = connect({
      ...settings,
      http: httpOf(context.helpers),
      limits,
      store,
      statusCallback: ownCallback ?? statusCallback,
      spending: { ...spending, stopped },
      onLimitReached: (reached) => reportLimit(telephony.account, reached),
    });
    return telephony;
  },
);
