import type { ServerResponse } from 'node:http';
import {
  type Action,
  actionOf,
  batchLimits,
  type SkipChoice,
  sendBatchCsv,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { failureOf } from '../action/action-result.ts';
import { asOneClick } from '../action/one-click.ts';
import { type SaltcornRequest, visitorOf } from '../action/visitor.ts';
import { administrator, assertMayRun } from '../settings/minimum-role.ts';
import { say } from '../translated.ts';
import { sayHtml } from '../view/local-time.ts';
import type { Previous, SaltcornBatch } from './batch-context.ts';
import { batches } from './batches.ts';
import { preview, start } from './bulk-run.ts';
import { undeliveredCount } from './note-delivery.ts';
import {
  csvPath,
  deleted,
  listPart,
  listPath,
  prefix,
  progressPart,
  runPage,
  runPart,
  skipChoices,
  testResult,
} from './run-page.ts';
import { testBatch } from './test-batch.ts';

interface Request extends SaltcornRequest {
  params: { token: string };
  query: Record<string, unknown>;
}

interface Response extends ServerResponse {
  set(header: string, value: string): void;
  json(body: object): void;
  send(html: string): void;
  /** Sends a page of Saltcorn, or the content of its popup. */
  sendWrap(title: string, html: string): void;
}

interface Opened {
  batch: SaltcornBatch;
  action: Action;
}

/** Opens the batch in the URL, for the user who created it and may run its action. */
async function opened({ configuration }: Account, request: Request): Promise<Opened> {
  const batch = await batches.open(request.params.token, visitorOf(request) ?? '');
  const action = actionOf(batch.actionId);
  assertMayRun(action, configuration, request);
  return { batch, action };
}

async function choose(account: Account, request: Request, response: Response): Promise<object> {
  try {
    const { key, button, context } = (await opened(account, request)).batch;
    // Repeated clicks get one preview if the page shows the same. If it has changed, they get a new one.
    const click = [request.headers['page-load-tag'], button, context.row, request.body];
    return await asOneClick(['rows', ...click], () =>
      asOneClick(['rows', key], async () => {
        const { batch, action } = await opened(account, request);
        return preview(action, account, batch, request.body, [request, response]);
      }),
    );
  } catch (error) {
    return failureOf(error, visitorOf(request));
  }
}

type Act = (opened: Opened) => Promise<unknown>;
type Render = (
  action: Action,
  batch: SaltcornBatch,
  previous: Previous,
  mayTest: boolean,
) => string;

/** The page for an error. */
function problem(error: unknown) {
  if (!(error instanceof TelephonyError)) throw error;
  return { title: 'Not found', html: sayHtml(error.said) };
}

/** What belongs to the page of a batch. */
async function aroundBatch(
  account: Account,
  action: Action,
  batch: SaltcornBatch,
): Promise<Previous> {
  const limits = await batchLimits(() => account.telephony(), action, batch, true);
  const undelivered = await undeliveredCount(batch);
  return { ...(await batches.previousOf(batch)), limits, undelivered };
}

/** Performs a step of a batch, then renders the batch. */
async function seen(account: Account, request: Request, act: Act | undefined, render: Render) {
  try {
    const before = await opened(account, request);
    await act?.(before);
    // Many rows take a while to open.
    const { batch, action } = act ? await opened(account, request) : before;
    const previous = await aroundBatch(account, action, batch);
    return {
      title: say({ text: action.name }),
      html: render(action, batch, previous, mayTest(request)),
    };
  } catch (error) {
    return problem(error);
  }
}

/** Opens another preview of the same rows, with or without those of earlier batches. */
async function other(account: Account, request: Request, choice: SkipChoice): Promise<string> {
  try {
    const { batch, action } = await opened(account, request);
    const next = await batches.openOther(batch.key, batch.owner, choice);
    return runPage(action, next, await aroundBatch(account, action, next), mayTest(request));
  } catch (error) {
    return problem(error).html;
  }
}

/** Deletes a batch. Every user who may see it may delete it. */
async function remove(account: Account, request: Request): Promise<string> {
  try {
    const { batch } = await opened(account, request);
    await batches.delete(batch.key, batch.owner);
    return deleted();
  } catch (error) {
    return problem(error).html;
  }
}

/** Sends the rows of a batch and their outcomes as a CSV file. */
async function download(account: Account, request: Request, response: Response): Promise<void> {
  try {
    const { action, batch } = await opened(account, request);
    await sendBatchCsv(response, action, batch, say);
  } catch (error) {
    const { title, html } = problem(error);
    response.sendWrap(title, html);
  }
}

/** Whether the user may send the first message of a batch to any number. Others send to the rows only. */
const mayTest = ({ user }: Request) => user?.role_id === administrator;

/** Tests a batch with the number in the request. All other values come from the batch. */
async function test(account: Account, request: Request): Promise<string> {
  try {
    const { action, batch } = await opened(account, request);
    if (!mayTest(request))
      throw new TelephonyError(
        'input',
        sentence('Only administrators can send a test. Nothing was sent.'),
      );
    return await testBatch(action, account, batch, request.body?.recipient);
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    return testResult((write) => write(error.said), 'danger');
  }
}

/** The routes of batch pages: they report the rows that a page shows, and show, test, start, stop and delete a batch. */
export function runRoutes(account: Account) {
  const part = (path: string, method: 'get' | 'post', act?: Act, render: Render = runPart) => ({
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
        const { title, html } = await seen(account, request, undefined, runPage);
        response.set('SaltcornModalLinkOut', 'true');
        response.sendWrap(title, html);
      },
    },
    {
      url: `${prefix}/:token/${csvPath}`,
      method: 'get',
      callback: (request: Request, response: Response) => download(account, request, response),
    },
    {
      url: `${prefix}/:token/${listPath}`,
      method: 'get',
      callback: async (request: Request, response: Response) => {
        const { outcome, page } = request.query;
        const choice = { outcome: String(outcome ?? ''), page: Number(page ?? 1) };
        const list: Render = (action, batch) => listPart(action, batch, choice);
        response.send((await seen(account, request, undefined, list)).html);
      },
    },
    part('part', 'get'),
    part('progress', 'get', undefined, progressPart),
    part('start', 'post', ({ action, batch }) => start(action, account, batch)),
    {
      url: `${prefix}/:token/test`,
      method: 'post',
      callback: async (request: Request, response: Response) =>
        response.send(await test(account, request)),
    },
    ...Object.entries(skipChoices).map(([path, choice]) => ({
      url: `${prefix}/:token/${path}`,
      method: 'post',
      callback: async (request: Request, response: Response) =>
        response.send(await other(account, request, choice)),
    })),
    part('stop', 'post', ({ batch }) => batches.stop(batch.key, batch.owner)),
    {
      url: `${prefix}/:token/delete`,
      method: 'post',
      callback: async (request: Request, response: Response) =>
        response.send(await remove(account, request)),
    },
  ];
}
