import { createHash } from 'node:crypto';
import db from '@saltcorn/data/db';
import Crash from '@saltcorn/data/models/crash';
import {
  type Action,
  countsText,
  isWithoutProblems,
  problemInShort,
  problemsOf,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { type Answer, failure, warning } from '../action/answer.ts';
import { assertFilledInByBuilder } from '../action/filled-in-by-builder.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { SaltcornRequest } from '../action/who-waits.ts';
import { isInstalled } from '../is-installed.ts';
import { buttonOf, type SaltcornBatch } from './batch-context.ts';
import { batches } from './batches.ts';
import { chosenRows, tableOf } from './chosen-rows.ts';
import { plan } from './plan.ts';
import { assertNoteColumns, notesIn } from './row-notes.ts';
import { rowsChoice } from './rows-fields.ts';
import { prefix, runUrl } from './run-page.ts';
import { readShown } from './shown-rows.ts';

/** Has a page say what it shows: its address, or that of its popup, and the views in it with what they show. */
const sayWhatIsShown = (key: string) => `
const popup = $('#scmodal.show');
const views = (popup.length ? popup : $(document)).find('[data-sc-embed-viewname]');
ajax_post_json('${runUrl(key)}/rows', {
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
export async function press(action: Action, owner: string, run: RunArguments): Promise<Answer> {
  assertFilledInByBuilder(run);
  const { configuration = {}, row } = run;
  // Says at once what is wrong with the settings of the button.
  rowsChoice(configuration);
  const settings = createHash('sha256')
    .update(JSON.stringify([action.id, configuration]))
    .digest('hex');
  const key = await batches.press({
    ...{ owner, actionId: action.id, button: buttonOf(owner, settings) },
    context: { configuration, row },
  });
  // What would follow has nothing to go on with yet.
  return { eval_js: sayWhatIsShown(key), halt_steps: true };
}

/**
 * Chooses the rows by what a page shows, and shows the preview. They are chosen for good: the batch runs for exactly those, with exactly
 * the values that were shown.
 *
 * @param said what the page says that it shows
 * @throws {TelephonyError} when it is not known which these are
 */
export async function preview(
  action: Action,
  { configuration: settings }: Account,
  batch: SaltcornBatch,
  said: object | undefined,
  [request, response]: [SaltcornRequest, object],
): Promise<Answer> {
  const popup = runUrl(batch.key);
  if (batch.state !== 'choosing') return { popup };
  const { configuration = {}, row } = batch.context;
  const choice = rowsChoice(configuration);
  const { user } = request;
  const page = choice.isOfPage ? { shown: readShown(said), request, response } : undefined;
  const { table, rows } = await chosenRows(choice, { row, user, request, page });
  if (rows.length === 0) return warning(`No row of “${table.name}” matches, so nothing was sent.`);
  const { notes: columns } = choice;
  const scope = { configuration, ...(user && { user }) };
  const planned = {
    items: plan(action, settings, table, rows, scope, columns),
    isRecorded: columns !== undefined,
  };
  const items = await batches.remaining(batch, planned);
  if (isWithoutProblems(items))
    return warning(`${action.name}: ${countsText(action, items)}. Nothing is left to do.`);
  if (!items.some(({ outcome }) => outcome === 'waiting'))
    return failure(
      [`${action.name}: nothing was done.`, ...problemsOf(items).map(problemInShort)].join('\n'),
      batch.owner,
    );
  await batches.preview(batch.key, planned, { tableName: table.name, columns });
  return { popup };
}

/** The columns that record the outcomes of a batch. One can have been deleted since the preview. */
function columnsOf({ context: { columns, tableName = '' } }: SaltcornBatch) {
  if (!columns) return undefined;
  assertNoteColumns(tableOf(tableName), columns);
  return notesIn(tableOf(tableName), columns);
}

/** Starts a batch, as no part of the request that does so. */
export const start = (action: Action, account: Account, batch: SaltcornBatch): Promise<boolean> =>
  db.runWithTenant(db.getTenantSchema(), () =>
    batches.start(batch.key, batch.owner, {
      action,
      open: () => account.telephony(),
      columns: () => columnsOf(batch),
      isRemoved: () => !isInstalled(),
      report: (error) => Crash.create(error as Error, { url: `${prefix}/`, headers: {} }),
      ended: () => account.changed(),
    }),
  );
