import {
  connect,
  definitions,
  type OfferedChoices,
  offeredChoices,
  settingsWithStoredSecrets,
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

function choicesFor(RED: NodeRed, { params, body }: Request): Promise<OfferedChoices> {
  const { operation, field, settings } = body as Partial<ChoicesRequest>;
  const open = async () => {
    const { typed, stored } = effectiveSettings(RED, params.id ?? '', Object(settings));
    return connect(settingsWithStoredSecrets(typed, stored));
  };
  return offeredChoices(open, operation, field);
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
