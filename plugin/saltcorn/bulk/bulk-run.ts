import db from '@saltcorn/data/db';
import Crash from '@saltcorn/data/models/crash';
import {
  type Action,
  abandon,
  countsSaid,
  isWithoutProblems,
  problemSaid,
  problemsOf,
} from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { type Answer, failure, warning } from '../action/answer.ts';
import { asOneClick } from '../action/one-click.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { SaltcornRequest } from '../action/who-waits.ts';
import { change } from '../metadata.ts';
import { chosenRows, tableOf } from './chosen-rows.ts';
import { plan } from './plan.ts';
import { assertNoteColumns, notesIn } from './row-notes.ts';
import { rowsChoice } from './rows-fields.ts';
import { runOnAccount } from './run-on-account.ts';
import { prefix, runUrl } from './run-page.ts';
import { readShown } from './shown-rows.ts';
import {
  createRun,
  findRun,
  isRunStopped,
  lastBegun,
  noteRun,
  openItems,
  type Run,
  saveRun,
} from './stored-run.ts';

const now = () => new Date().toISOString();

/** Has a page say what it shows: its address, or that of its popup, and the views in it with what they show. */
const sayWhatIsShown = (run: Run) => `
const popup = $('#scmodal.show');
const views = (popup.length ? popup : $(document)).find('[data-sc-embed-viewname]');
ajax_post_json('${runUrl(run)}/rows', {
  url: get_current_state_url(),
  views: views.get().map((view) => ({
    view: view.getAttribute('data-sc-embed-viewname'),
    url: view.getAttribute('data-sc-local-state') || view.getAttribute('data-sc-view-source') || '',
    isVisible: $(view).is(':visible'),
    isEmpty: $(view).find('[data-sc-state-hash]').first().attr('data-sc-total-rows') === '0',
  })),
});`;

/**
 * Someone pressed a button: asks their page what it shows. Addresses of pages do not say that, and browsers may keep them to
 * themselves.
 */
export async function press(
  action: Action,
  visitor: string,
  userId: number | undefined,
  { configuration = {}, row }: RunArguments,
): Promise<Answer> {
  // Says at once what is wrong with the settings of the button.
  rowsChoice(configuration);
  const run = await createRun({ visitor, userId, actionId: action.id, configuration, row });
  // What would follow has nothing to go on with yet.
  return { eval_js: sayWhatIsShown(run), halt_steps: true };
}

/**
 * Chooses the rows by what a page shows, and asks whether it is to be done for them. They are chosen for good: it is done for
 * exactly those, with exactly the values that were shown.
 *
 * @param said what the page says that it shows
 * @throws {TelephonyError} when it is not known which these are
 */
export async function ask(
  action: Action,
  { configuration: settings }: Account,
  run: Run,
  said: object | undefined,
  [request, response]: [SaltcornRequest, object],
): Promise<Answer> {
  if (run.body.state !== 'choosing') return { popup: runUrl(run) };
  const { visitor, configuration = {}, row } = run.body;
  const choice = rowsChoice(configuration);
  const { user } = request;
  const page = choice.isOfPage ? { shown: readShown(said), request, response } : undefined;
  const { table, rows } = await chosenRows(choice, { row, user, request, page });
  if (rows.length === 0) return warning(`No row of “${table.name}” matches, so nothing was sent.`);
  const { notes } = choice;
  const scope = { configuration, ...(user && { user }) };
  const planned = plan(action, settings, table, rows, scope, notes);
  const items = await openItems(run, { ...run.body, items: planned, notes });
  if (isWithoutProblems(items))
    return warning(`${action.name}: ${countsSaid(items)}. Nothing is left to do.`);
  if (!items.some(({ outcome }) => outcome === 'waiting'))
    return failure(
      [`${action.name}: nothing was done.`, ...problemsOf(items).map(problemSaid)].join('\n'),
      visitor,
    );
  const { configuration: _, row: __, ...rest } = run.body;
  const question = {
    state: 'asked' as const,
    askedAt: now(),
    tableName: table.name,
    notes,
    items: planned,
  };
  await change(run, { body: { ...rest, ...question } });
  return { popup: runUrl(run) };
}

async function carryOut(action: Action, account: Account, run: Run): Promise<void> {
  const { items, notes, tableName = '' } = run.body;
  const isStopped = () => isRunStopped(run);
  try {
    // A column can have been deleted since someone was asked.
    if (notes) assertNoteColumns(tableOf(tableName), notes);
    const notesOf = notes && notesIn(tableOf(tableName), notes);
    await runOnAccount(action, account, items, isStopped, notesOf, () => saveRun(run));
  } catch (error) {
    abandon(items, error);
    throw error;
  } finally {
    await noteRun(run, { state: 'ended' });
  }
}

/** Notes that a run begins, and gives it; or asks about it again, where the same button began something since it was asked. */
async function noteBeginning(token: string, visitor: string): Promise<Run | undefined> {
  const run = await findRun(token, visitor);
  if (run?.body.state !== 'asked') return undefined;
  const before = await lastBegun(run);
  if ((before?.body.startedAt ?? '') > (run.body.askedAt ?? '')) {
    await noteRun(run, { askedAt: now() });
    return undefined;
  }
  let begun: Run | undefined;
  // One click in all tabs that were asked since the last time.
  await asOneClick(['begin', visitor, run.body.button, before?.name], async () => {
    // Whoever was held up longer than a double click takes may come after another tab.
    if ((await lastBegun(run))?.name !== before?.name) return {};
    const items = await openItems(run);
    if (!items.some(({ outcome }) => outcome === 'waiting')) return {};
    await noteRun(run, { state: 'running', startedAt: now(), items });
    begun = run;
    return {};
  });
  return begun;
}

/**
 * Begins a run that someone was asked about, once however often they say so, and in how many tabs: where the same button
 * began something since they were asked, they are asked again. It goes on when they leave the page.
 */
export async function begin(action: Action, account: Account, asked: Run): Promise<void> {
  const { name, body } = asked;
  let begun: Run | undefined;
  // The second of two clicks does not answer the question that the first one brought back.
  await asOneClick(['answer', name], async () => {
    begun = await noteBeginning(name, body.visitor);
    return {};
  });
  const run = begun;
  if (!run) return;
  const report = (error: Error) => Crash.create(error, { url: `${prefix}/`, headers: {} });
  // Is no part of the request that began it.
  void db.runWithTenant(db.getTenantSchema(), () => carryOut(action, account, run).catch(report));
}
