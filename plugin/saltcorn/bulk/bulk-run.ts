import { createHash } from 'node:crypto';
import db from '@saltcorn/data/db';
import Crash from '@saltcorn/data/models/crash';
import {
  type Action,
  alreadySentSentence,
  countsOf,
  isToPreview,
  isWithoutProblems,
  problemInShort,
  problemsOf,
  type RowItem,
  resultSentence,
  sentence,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { type ActionResult, failure, warning } from '../action/action-result.ts';
import { assertFilledInByBuilder } from '../action/filled-in-by-builder.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { SaltcornRequest } from '../action/visitor.ts';
import { isInstalled } from '../is-installed.ts';
import { say } from '../translated.ts';
import { buttonOf, type SaltcornBatch } from './batch-context.ts';
import { batches } from './batches.ts';
import { chosenRows, tableOf } from './chosen-rows.ts';
import { plan } from './plan.ts';
import { assertNoteColumns, notesIn } from './row-notes.ts';
import { rowsChoice } from './rows-fields.ts';
import { batchClass, prefix, repeatClick, runUrl } from './run-page.ts';
import { readShown } from './shown-rows.ts';

/** The request that a click on a button sends. */
interface Click {
  method?: string | undefined;
  originalUrl: string;
  body?: object;
}

/**
 * A script with which a page reports what it shows: its URL or that of its popup, and the views in it with their URLs. It also keeps the
 * click, so that the result of a batch can repeat it. A click in a popup can't be repeated, because the batch replaces the popup, nor can
 * the test of a trigger, which opens a page.
 *
 * @param url where the page sent the click, and `body` what it sent
 */
const reportScript = (key: string, { method, originalUrl: url, body = {} }: Click) => `
const popup = $('#scmodal.show').not(':has(.${batchClass})');
window.${repeatClick} = popup.length || ${method !== 'POST'} ? undefined : () => ajax_post_json(${JSON.stringify(url)}, ${JSON.stringify(body)});
const views = (popup.length ? popup : $(document)).find('[data-sc-embed-viewname]');
ajax_post_json('${runUrl(key)}/rows', {
  url: popup.length ? get_current_state_url() : location.href,
  // So that a quick click on Continue isn't taken for the second half of a double click on the button.
  continues: $('#scmodal.show .${batchClass}').attr('id'),
  views: views.get().map((view) => ({
    view: view.getAttribute('data-sc-embed-viewname'),
    url: view.getAttribute('data-sc-local-state') || view.getAttribute('data-sc-view-source') || '',
    isVisible: $(view).is(':visible'),
    isEmpty: $(view).find('[data-sc-state-hash]').first().attr('data-sc-total-rows') === '0',
  })),
});`;

/**
 * Handles a click on a button. First requests what the page shows, because its URL doesn't show that, and browsers may
 * withhold it.
 */
export async function press(
  action: Action,
  owner: string,
  run: RunArguments,
  click: Click,
): Promise<ActionResult> {
  assertFilledInByBuilder(run);
  const { configuration = {}, row } = run;
  // Reports wrong settings of the button at once.
  rowsChoice(configuration);
  const settings = createHash('sha256')
    .update(JSON.stringify([action.id, configuration]))
    .digest('hex');
  const key = await batches.press({
    ...{ owner, actionId: action.id, button: buttonOf(owner, settings) },
    context: { configuration, row },
  });
  // Later steps have no result to use yet.
  return { eval_js: reportScript(key, click), halt_steps: true };
}

/** What a user sees who pressed a button that has no row to send to. */
async function nothingToDo(
  action: Action,
  batch: SaltcornBatch,
  items: RowItem[],
): Promise<ActionResult> {
  const counts = countsOf(items);
  if (isWithoutProblems(items))
    return warning(
      say(sentence('{result} Nothing is left to do.', { result: resultSentence(action, counts) })),
    );
  const { batch: last } = await batches.previous(batch);
  // The dialog with its progress and the Stop button may have been closed.
  if (last?.state === 'running') return { popup: runUrl(last.key) };
  const sent = counts['already-done'];
  const lines = [
    sentence('{name}: nothing was done.', { name: { text: action.name } }),
    ...(sent > 0 ? [alreadySentSentence(sent)] : []),
    ...problemsOf(items).map(problemInShort),
  ];
  return failure(lines.map(say).join('\n'), batch.owner);
}

/**
 * Selects the rows that the page shows, and shows the preview. The selection is final: the batch runs for exactly these
 * rows, with exactly the values in the preview. If nothing is left to send while the button's last batch runs, shows that batch.
 *
 * @param report what the page reports that it shows
 * @throws {TelephonyError} if the rows can't be determined
 */
export async function preview(
  action: Action,
  { configuration: settings }: Account,
  batch: SaltcornBatch,
  report: object | undefined,
  [request, response]: [SaltcornRequest, object],
): Promise<ActionResult> {
  const popup = runUrl(batch.key);
  if (batch.state !== 'choosing') return { popup };
  const { configuration = {}, row } = batch.context;
  const choice = rowsChoice(configuration);
  const { user } = request;
  const page = choice.isOfPage ? { shown: readShown(report), request, response } : undefined;
  const { table, rows } = await chosenRows(choice, { row, user, request, page });
  if (rows.length === 0) {
    const none = sentence('No row of “{table}” matches, so nothing was sent.', {
      table: table.name,
    });
    return warning(say(none));
  }
  const { notes: columns } = choice;
  const scope = { configuration, ...(user && { user }) };
  const planned = {
    items: await plan(action, settings, table, rows, scope, columns),
    isRecorded: columns !== undefined,
  };
  const items = await batches.remaining(batch, planned);
  if (!isToPreview(items)) return nothingToDo(action, batch, items);
  await batches.preview(batch.key, planned, { tableName: table.name, columns });
  return { popup };
}

/** The columns that record the batch's outcomes. One may have been deleted since the preview. */
function columnsOf({ context: { columns, tableName = '' } }: SaltcornBatch) {
  if (!columns) return undefined;
  assertNoteColumns(tableOf(tableName), columns);
  return notesIn(tableOf(tableName), columns);
}

/** Starts a batch outside of the request. */
export const start = (action: Action, account: Account, batch: SaltcornBatch): Promise<boolean> =>
  db.runWithTenant(db.getTenantSchema(), () =>
    batches.start(batch.key, batch.owner, {
      action,
      open: () => account.telephony(),
      isConfirmed: true,
      columns: () => columnsOf(batch),
      isRemoved: () => !isInstalled(),
      report: (error) => Crash.create(error as Error, { url: `${prefix}/`, headers: {} }),
      ended: () => account.changed(),
    }),
  );
