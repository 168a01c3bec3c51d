import { definitions, offeredChoices, sentence } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import type { JsonResponse } from '../action/visitor.ts';
import { administrator, mayRun } from '../settings/minimum-role.ts';
import { say } from '../translated.ts';

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

/** Only administrators learn why there are no choices. */
async function choicesFor(account: Account, { query, user }: Request) {
  const { choices, problem } = await offeredChoices(
    account.telephony,
    ...[query.operation, query.field],
  );
  const isShown = problem && user?.role_id === administrator;
  return {
    choices,
    ...(isShown && {
      problem: say(sentence('Could not load your numbers. {problem}', { problem })),
    }),
    ...(choices.length > 0 && {
      ifFiltered: say(sentence('Clear this field to choose from a list.')),
    }),
  };
}

/** Serves the choices of fields to users who may run actions, never to the public. */
export const choicesRoute = (account: Account) => ({
  url,
  method: 'get',
  callback: async (request: Request, response: JsonResponse) => {
    if (request.user && mayRun(account.configuration, request))
      response.json(await choicesFor(account, request));
    else response.status(403).json({ choices: [] });
  },
});
