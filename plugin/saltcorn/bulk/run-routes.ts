import { escapeHtml } from '@saltcorn/data/utils';
import { type Action, isAction, operation, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { failure } from '../action/answer.ts';
import { asOneClick } from '../action/one-click.ts';
import { type SaltcornRequest, visitorOf } from '../action/who-waits.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { ask, begin } from './bulk-run.ts';
import { prefix, runPage, runPart, soFar } from './run-page.ts';
import { findRun, lastBegun, openItems, type Run, stopRun } from './stored-run.ts';

interface Request extends SaltcornRequest {
  params: { token: string };
  body?: Record<string, unknown>;
}

interface Response {
  set(header: string, value: string): void;
  json(body: object): void;
  send(html: string): void;
  /** Sends a page of Saltcorn's, or what goes into its popup. */
  sendWrap(title: string, html: string): void;
}

interface Opened {
  run: Run;
  action: Action;
}

function actionOf({ body }: Run): Action {
  const found = operation(body.actionId);
  if (isAction(found)) return found;
  throw new TelephonyError('input', `“${found.name}” is no action.`);
}

/** The run of an address, for whoever pressed its button and may run its action. */
async function opened({ configuration }: Account, request: Request): Promise<Opened> {
  const run = await findRun(request.params.token, visitorOf(request));
  if (!run)
    throw new TelephonyError(
      'not-found',
      'This batch has ended or belongs to someone else. Press the button again.',
    );
  const action = actionOf(run);
  assertMayRun(action, configuration, request);
  return { run, action };
}

async function choose(account: Account, request: Request, response: Response): Promise<object> {
  try {
    const { name, body } = (await opened(account, request)).run;
    const { visitor, button, row } = body;
    // Two clicks on a page that shows the same are asked about once; one that shows something else by then is asked again.
    const click = [visitor, request.headers['page-load-tag'], button, row, request.body];
    return await asOneClick(['rows', ...click], () =>
      asOneClick(['rows', name], async () => {
        const { run, action } = await opened(account, request);
        return ask(action, account, run, request.body, [request, response]);
      }),
    );
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return failure(error.message, visitorOf(request));
  }
}

type Act = (opened: Opened) => Promise<void>;
type Render = (action: Action, run: Run, before: Run | undefined) => string;

/** Does something with a run, and gives what is to be seen of it then. */
async function seen(account: Account, request: Request, act: Act, render: Render) {
  try {
    await act(await opened(account, request));
    const { run, action } = await opened(account, request);
    const before = await lastBegun(run);
    if (run.body.state === 'asked') run.body.items = await openItems(run);
    return { title: action.name, html: render(action, run, before) };
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return { title: 'Not found', html: escapeHtml(error.message) };
  }
}

const nothing = async () => {};

/** What the pages of runs ask: which rows are shown, what is to be seen of a run, to begin it and to stop it. */
export function runRoutes(account: Account) {
  const part = (path: string, method: 'get' | 'post', act: Act, render: Render = runPart) => ({
    url: `${prefix}/:token/${path}`,
    method,
    callback: async (request: Request, response: Response) =>
      response.send((await seen(account, request, act, render)).html),
  });
  return [
    {
      url: `${prefix}/:token/rows`,
      method: 'post',
      callback: async (request: Request, response: Response) =>
        response.json(await choose(account, request, response)),
    },
    {
      url: `${prefix}/:token`,
      method: 'get',
      callback: async (request: Request, response: Response) => {
        const { title, html } = await seen(account, request, nothing, runPage);
        response.set('SaltcornModalLinkOut', 'true');
        response.sendWrap(title, html);
      },
    },
    part('part', 'get', nothing),
    part('so-far', 'get', nothing, soFar),
    part('start', 'post', ({ action, run }) => begin(action, account, run)),
    part('stop', 'post', ({ run }) => stopRun(run)),
  ];
}
