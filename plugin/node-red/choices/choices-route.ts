import {
  connect,
  definitions,
  type FieldChoice,
  fieldChoices,
  senderChoices,
  settingsWithStoredSecrets,
  TelephonyError,
} from '../../../src/builder.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import type { Handler, NodeRed, Request } from '../node-red.ts';
import { takesJsonOnly } from '../settings/connection-test.ts';

/** Where the editor asks for choices, below its own address and before the id of an account. */
export const choicesPath = `${definitions.manifest.id}/choices`;

/** What the editor asks for: what a field of an operation offers, or without one, what can be an account's sender. */
export interface ChoicesRequest {
  operation?: string;
  field?: string;
  /** The settings of the account, as they are in the editor. */
  settings: object;
}

export interface ChoicesAnswer {
  choices: FieldChoice[];
  /** Why there are none, for people. */
  problem?: string;
}

async function choicesFor(RED: NodeRed, { params, body }: Request): Promise<ChoicesAnswer> {
  const { operation, field, settings } = body as Partial<ChoicesRequest>;
  try {
    const { typed, stored } = effectiveSettings(RED, params.id ?? '', Object(settings));
    const telephony = connect(settingsWithStoredSecrets(typed, stored));
    const choices =
      operation === undefined
        ? await senderChoices(telephony)
        : await fieldChoices(telephony, String(operation), String(field));
    return { choices };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { choices: [], problem: error.message };
  }
}

/** What dialogs offer for a field. For those who may change flows, as the connection test is, since it uses the same secrets. */
export function registerChoices(RED: NodeRed) {
  const answer: Handler = (request, response, next) =>
    void choicesFor(RED, request)
      .then((found) => response.json(found))
      .catch(next);
  const guards = [RED.auth.needsPermission('flows.write'), takesJsonOnly];
  RED.httpAdmin.post(`/${choicesPath}/:id`, ...guards, answer);
}
