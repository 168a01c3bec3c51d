import {
  definitions,
  type FieldChoice,
  fieldChoices,
  senderChoices,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { administrator, mayRun } from '../settings/minimum-role.ts';

const url = `/${definitions.manifest.id}/choices`;

/**
 * The URL of a field's choices.
 *
 * @param operation the id of the operation; without it, the senders of any operation
 * @param field the key of the field
 */
export const choicesUrl = (operation?: string, field?: string): string =>
  operation && field ? `${url}?${new URLSearchParams({ operation, field })}` : url;

interface Request {
  query: { operation?: unknown; field?: unknown };
  user?: { role_id: number };
}

interface Response {
  status(code: number): Response;
  json(body: object): void;
}

interface ChoicesResponse {
  choices: FieldChoice[];
  /** Why there are none, as a message to administrators. */
  problem?: string;
}

async function choicesFor(account: Account, { query, user }: Request): Promise<ChoicesResponse> {
  const { operation, field } = query;
  try {
    const telephony = await account.telephony();
    const choices =
      operation === undefined
        ? await senderChoices(telephony)
        : await fieldChoices(telephony, String(operation), String(field));
    return { choices };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    const { message: problem } = error;
    return { choices: [], ...(user?.role_id === administrator && { problem }) };
  }
}

/** Serves the choices of fields to users who may run actions, never to the public. */
export const choicesRoute = (account: Account) => ({
  url,
  method: 'get',
  callback: async (request: Request, response: Response) => {
    if (request.user && mayRun(account.configuration, request))
      response.json(await choicesFor(account, request));
    else response.status(403).json({ choices: [] });
  },
});
