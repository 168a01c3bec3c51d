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

/** The path below the editor's URL where the editor requests choices; the account's id follows. */
export const choicesPath = `${definitions.manifest.id}/choices`;

/** A request for the choices of an operation's field or, without one, for the possible default senders. */
export interface ChoicesRequest {
  operation?: string;
  field?: string;
  /** The account's settings in the editor. */
  settings: object;
}

export interface ChoicesResponse {
  choices: FieldChoice[];
  /** Why there are none, as a message to the user. */
  problem?: string;
}

async function choicesFor(RED: NodeRed, { params, body }: Request): Promise<ChoicesResponse> {
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

/**
 * Serves the choices of fields. Requires the right to change flows, like the connection test, because it uses the same
 * secrets.
 */
export function registerChoices(RED: NodeRed) {
  const handler: Handler = (request, response, next) =>
    void choicesFor(RED, request)
      .then((found) => response.json(found))
      .catch(next);
  const guards = [RED.auth.needsPermission('flows.write'), takesJsonOnly];
  RED.httpAdmin.post(`/${choicesPath}/:id`, ...guards, handler);
}
