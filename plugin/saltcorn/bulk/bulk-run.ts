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
  readingStopped,
  resultSentence,
  type Said,
  sentence,
  TelephonyError,
  within,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { type ActionResult, failure, warning } from '../action/action-result.ts';
import { assertFilledInByBuilder } from '../action/filled-in-by-builder.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import type { SaltcornRequest } from '../action/visitor.ts';
import { isInstalled } from '../is-installed.ts';
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

/** A preview, or why there is none and the batch that its button runs. */
type Shown = { popup: string } | { lines: Said[]; isWarning?: true; running?: string };

/** What a user sees who pressed a button that has no row to send to. */
async function nothingToDo(action: Action, batch: SaltcornBatch, items: RowItem[]): Promise<Shown> {
  const counts = countsOf(items);
  if (isWithoutProblems(items)) {
    const values = { result: resultSentence(action, counts) };
    return { lines: [sentence('{result} Nothing is left to do.', values)], isWarning: true };
  }
  const { batch: last } = await batches.previous(batch);
  const sent = counts['already-done'];
  const lines = [
    sentence('{name}: nothing was done.', { name: { text: action.name } }),
    ...(sent > 0 ? [alreadySentSentence(sent)] : []),
    ...problemsOf(items).map(problemInShort),
  ];
  return { lines, ...(last?.state === 'running' && { running: last.key }) };
}

/** How long a click waits for its preview, in milliseconds. After that, the preview's page shows how many rows are read. */
const waitMs = 4_000;
/** How often it is noted how many are. */
const noteMs = 1_000;

/** Notes how many of all rows are read. */
async function noting<Value>(
  key: string,
  all: number,
  work: (read: (count: number) => void) => Promise<Value>,
): Promise<Value> {
  let ended = 0;
  let noted = Promise.resolve();
  const note = () => {
    noted = noted.then(() => batches.noteReading(key, { ended, all })).catch(() => {});
  };
  const timer = setInterval(note, noteMs).unref();
  try {
    return await work((count) => {
      ended = count;
    });
  } finally {
    clearInterval(timer);
    // A preview is stored only if its entry doesn't change meanwhile.
    await noted;
  }
}

const report = (error: unknown) => Crash.create(error as Error, { url: `${prefix}/`, headers: {} });

/** Tells the page that waits for a preview why there is none. */
async function noteProblem(key: string, shown: Promise<Shown>): Promise<void> {
  const noteLines = (lines: Said[], batch?: string) =>
    batches.noteReading(key, { ended: 0, all: 0, problem: lines, ...(batch && { batch }) });
  try {
    const found = await shown;
    if ('lines' in found) await noteLines(found.lines, found.running);
  } catch (error) {
    if (error instanceof TelephonyError) return noteLines([error.said]);
    // The page must not show it: a database's error can contain a secret.
    await report(error);
    await noteLines(readingStopped('Saltcorn'));
  }
}

/**
 * Selects the rows that the page shows, and shows the preview. The selection is final: the batch runs for exactly these
 * rows, with exactly the values in the preview. If nothing is left to send while the button's last batch runs, shows that batch.
 *
 * @param shown what the page reports that it shows
 * @throws {TelephonyError} if the rows can't be determined
 */
export async function preview(
  action: Action,
  { configuration: settings }: Account,
  batch: SaltcornBatch,
  shown: object | undefined,
  [request, response]: [SaltcornRequest, object],
): Promise<ActionResult> {
  const popup = runUrl(batch.key);
  if (batch.state !== 'choosing') return { popup };
  const { configuration = {}, row } = batch.context;
  const choice = rowsChoice(configuration);
  const { user } = request;
  const page = choice.isOfPage ? { shown: readShown(shown), request, response } : undefined;
  const { table, rows } = await chosenRows(choice, { row, user, request, page });
  if (rows.length === 0) {
    const none = sentence('No row of “{table}” matches, so nothing was sent.', {
      table: table.name,
    });
    return warning((say) => say(none), batch.owner);
  }
  const { notes: columns } = choice;
  const scope = { configuration, req: request, ...(user && { user }) };

  async function show(): Promise<Shown> {
    const items = await noting(batch.key, rows.length, (read) =>
      plan(action, settings, table, rows, scope, columns, read),
    );
    const planned = { items, isRecorded: columns !== undefined };
    const left = await batches.remaining(batch, planned);
    if (!isToPreview(left)) return nothingToDo(action, batch, left);
    await batches.preview(batch.key, planned, { tableName: table.name, columns });
    return { popup };
  }

  const showing = show();
  const found = await within(waitMs, showing, () => {
    void noteProblem(batch.key, showing).catch(report);
    return { popup };
  });
  if ('popup' in found) return found;
  const { lines, isWarning, running } = found;
  // The dialog with its progress and the Stop button may have been closed.
  if (running !== undefined) return { popup: runUrl(running) };
  return (isWarning ? warning : failure)((say) => lines.map(say).join('\n'), batch.owner);
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
      report,
      ended: () => account.changed(),
    }),
  );
