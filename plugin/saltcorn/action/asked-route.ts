import { actionOf } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { runAwaited } from './action.ts';
import { type ActionResult, failureOf } from './action-result.ts';
import { askedPath, confirmedClick } from './ask-first.ts';
import { type JsonResponse, type SaltcornRequest, visitorOf } from './visitor.ts';

interface Request extends SaltcornRequest {
  params: { key: string };
}

async function resultOf(account: Account, request: Request): Promise<ActionResult> {
  const visitor = visitorOf(request) ?? '';
  try {
    const { actionId, run } = await confirmedClick(request.params.key, visitor);
    const args = { ...run, req: request, ...(request.user && { user: request.user }) };
    return await runAwaited(actionOf(actionId), account, args, true);
  } catch (error) {
    return failureOf(error, visitor);
  }
}

/** The route that runs what a visitor has confirmed. */
export const askedRoute = (account: Account) => ({
  url: `${askedPath}/:key`,
  method: 'post',
  callback: async (request: Request, response: JsonResponse) =>
    response.json(await resultOf(account, request)),
});
