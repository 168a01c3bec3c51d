import { escapeHtml } from '@saltcorn/data/utils';
import { genericElement, input } from '@saltcorn/markup/tags';
import {
  type Action,
  type BatchPageChoice,
  type BatchView,
  batchLabel,
  batchPage,
  batchView,
  canTest,
  changedText,
  confirmedText,
  costText,
  counted,
  countsInWords,
  definitions,
  problemText,
  progressOf,
  type RowProblem,
  type RowView,
  recipientField,
  repeatedText,
  rowColumns,
  rowCount,
  rowsPerPage,
  type SkipChoice,
  type SomeRows,
  sentSinglyText,
  shownAgainText,
  skippedText,
  successWord,
  testLabel,
  toSendCount,
  unknownText,
} from '../../../src/builder.ts';
import { localTime } from '../view/local-time.ts';
import type { Previous, SaltcornBatch } from './batch-context.ts';

/** How many rows a preview names. */
const mostNamed = 10;

/** How often the page reads the progress, in milliseconds. */
const interval = 700;

/** How long a second click may be the second half of a double click, in milliseconds. */
const doubleClickMs = 2_000;

const notResponding = 'Saltcorn is not responding. Trying again …';

export const prefix = `/${definitions.manifest.id}/run`;

/** The paths that open another preview of the same rows, and what it skips. */
export const skipChoices = {
  'skip-sent': { skipsSent: true },
  repeat: { skipsSent: false },
  skip: { skipsChanged: true },
  include: { skipsChanged: false },
} satisfies Record<string, SkipChoice>;

type SkipPath = keyof typeof skipChoices;

/** The path of the CSV file with the rows and their outcomes. */
export const csvPath = 'csv';

/** The path of a page of the rows. */
export const listPath = 'list';

export const runUrl = (key: string) => `${prefix}/${key}`;

/** An element with HTML content. */
const element = (name: string, html: string, attributes: Record<string, unknown> = {}) =>
  genericElement(name, attributes, html);

const paragraph = (text: string) => element('p', escapeHtml(text));

const paragraphIfAny = (text: string) => text && paragraph(text);

const list = (texts: string[]) =>
  element('ul', texts.map((text) => element('li', escapeHtml(text))).join(''));

const rows = (count: number) => counted(count, 'row', 'rows');

/** The class of a batch in a page. */
export const batchClass = 'telephony-batch';

/** The page's function that clicks the batch's button again, if the page has one. */
export const repeatClick = 'telephonyRepeatClick';

const runId = ({ key }: SaltcornBatch) => `run-${key}`;

const progressId = ({ key }: SaltcornBatch) => `progress-${key}`;

/**
 * Loads a part into an element after `wait` milliseconds, if the element is still in the page, and retries until it
 * succeeds. Says so until then, instead of the last progress. A page may load this script before jQuery.
 */
const show = (run: SaltcornBatch, part: string, place: string, wait: number) =>
  element(
    'script',
    [
      `setTimeout(function show(place) { if (place.isConnected) $(place).load('${runUrl(run.key)}/${part}', (_, status) => { `,
      `if (status !== 'error') return; $(place).find('[role=status]').text('${notResponding}'); setTimeout(show, ${interval}, place); `,
      `}); }, ${wait}, document.getElementById('${place}'));`,
    ].join(''),
  );

/**
 * Replaces this part by the next one, and shows its beginning. If the request fails, the user can click again. Keeps the
 * dialog's height: if it shrank, the second click of a double click would land outside and close it. Saltcorn's function
 * `apply_showif` shows times in the user's time zone.
 *
 * @param undo what to do if the request fails
 */
const onClick = (run: SaltcornBatch, step: string, undo = '') =>
  `this.disabled = true; const run = $('#${runId(run)}'); run.css('min-height', run.outerHeight()).load('${runUrl(run.key)}/${step}', { _csrf: _sc_globalCsrf }, (_, status) => { this.disabled = false; apply_showif(); run.closest('.modal, html').scrollTop(0);${undo && ` if (status === 'error') ${undo};`} })`;

const pressed = (
  run: SaltcornBatch,
  step: string,
  label: string,
  style: string,
  question?: string,
) =>
  element('button', escapeHtml(label), {
    ...{ type: 'button', class: `btn btn-${style} me-2` },
    onclick: question
      ? `if (confirm(${JSON.stringify(question)})) { ${onClick(run, step)} }`
      : onClick(run, step),
  });

/** A button that closes the dialog. */
const close = (label: 'Cancel' | 'Close') =>
  element('button', label, {
    ...{ type: 'button', class: 'btn btn-outline-primary', 'data-bs-dismiss': 'modal' },
  });

/** The names of some rows, and how many more there are. */
function named(names: string[], count: number, most = mostNamed): string {
  const first = names.slice(0, most);
  const more = count - first.length;
  return list(more > 0 ? [...first, `and ${more} more`] : first);
}

/** The input of the first row. */
function exampleOf({ fields }: Action, { example }: BatchView): string {
  const pairs = fields
    .filter(({ key }) => example[key] !== undefined)
    .map(
      ({ key, label }) =>
        element('dt', escapeHtml(label), { class: 'col-sm-3' }) +
        element('dd', escapeHtml(example[key] ?? ''), {
          ...{ class: 'col-sm-9', style: 'white-space: pre-wrap' },
        }),
    );
  return element('dl', pairs.join(''), { class: 'row border rounded mx-0 py-2' });
}

const testId = ({ key }: SaltcornBatch) => `test-${key}`;

/** The outcome of a test, which replaces the outcome of an earlier one. */
export const testResult = (text: string, style: 'success' | 'danger'): string =>
  element('p', escapeHtml(text), { class: `alert alert-${style} mt-2 mb-0`, role: 'status' });

/**
 * Sends the number in the form, and shows the outcome below it. Until then, the batch can't be started: its progress would replace the
 * outcome.
 */
function onTest({ ifUnknown }: Action, run: SaltcornBatch): string {
  const lost = testResult(
    `Saltcorn did not respond, so the outcome is unknown. ${ifUnknown}`,
    'danger',
  );
  return [
    `const buttons = $('#${runId(run)} button:not([data-bs-dismiss])').prop('disabled', true)`,
    `const result = $('#${testId(run)}').text('Testing…')`,
    `result.load('${runUrl(run.key)}/test', { _csrf: _sc_globalCsrf, recipient: this.recipient.value }, (_, status) => { buttons.prop('disabled', false); if (status === 'error') result.html(${JSON.stringify(lost)}); })`,
    'return false',
  ].join('; ');
}

const listId = ({ key }: SaltcornBatch) => `list-${key}`;

const loadList = (run: SaltcornBatch, query: string) =>
  `$('#${listId(run)}').load('${runUrl(run.key)}/${listPath}?' + $.param(${query}))`;

/** Lets the user look through all rows, page by page; empty if the part names them all. */
const allRows = (run: SaltcornBatch) =>
  run.items.length > mostNamed
    ? element(
        'details',
        element('summary', `All ${rows(run.items.length)}`) +
          element('div', '', { id: listId(run) }),
        { class: 'mb-3', ontoggle: `if (this.open) ${loadList(run, '{}')}` },
      )
    : '';

/** The rows of a page. */
function rowTable(shown: RowView[]): string {
  const columns = ['who', 'outcome', 'reason'] as const;
  const line = (cell: 'td' | 'th', texts: string[]) =>
    element('tr', texts.map((text) => element(cell, escapeHtml(text))).join(''));
  const head = element(
    'thead',
    line(
      'th',
      columns.map((column) => rowColumns[column]),
    ),
  );
  const body = shown.map((row) =>
    line(
      'td',
      columns.map((column) => row[column]),
    ),
  );
  return element('table', head + element('tbody', body.join('')), { class: 'table table-sm' });
}

/** A page of the rows, and the ways to the others. */
export function listPart(action: Action, run: SaltcornBatch, choice: BatchPageChoice): string {
  const { shown, outcomes, outcome, count, page } = batchPage(action, run.items, choice);
  const first = (page - 1) * rowsPerPage;
  const last = first + shown.length;
  const all = element('option', `All (${run.items.length})`, { value: '' });
  const options = outcomes.map(([word, many]) =>
    element('option', escapeHtml(`${word} (${many})`), {
      ...{ value: word, ...(word === outcome && { selected: true }) },
    }),
  );
  const to = (label: string, next: number, isPossible: boolean) =>
    element('button', label, {
      ...{ type: 'button', class: 'btn btn-sm btn-outline-primary' },
      ...(!isPossible && { disabled: true }),
      onclick: loadList(run, JSON.stringify({ outcome, page: next })),
    });
  return [
    element('select', all + options.join(''), {
      ...{ class: 'form-select form-select-sm my-2', 'aria-label': 'Outcome' },
      onchange: loadList(run, '{ outcome: this.value }'),
    }),
    rowTable(shown),
    element(
      'div',
      [
        to('Previous', page - 1, page > 1),
        element('span', `${first + 1}–${last} of ${count}`),
        to('Next', page + 1, last < count),
      ].join(''),
      { class: 'd-flex justify-content-between align-items-center' },
    ),
  ].join('');
}

/** Lets the user send the first message to a number of their own before they start the batch. */
function testForm(action: Action, run: SaltcornBatch): string {
  const isMessage = action.batch?.outcome !== undefined;
  const help = isMessage
    ? 'Sends the first message to this number only. The rows get theirs when you start the batch.'
    : 'Runs the first row with this number instead. The rows run when you start the batch.';
  const number = {
    ...{ type: 'tel', name: 'recipient', id: `number-${run.key}`, class: 'form-control' },
    ...{ autocomplete: 'tel', placeholder: recipientField(action)?.placeholder },
    'aria-describedby': `help-${run.key}`,
  };
  const send = { type: 'submit', class: 'btn btn-outline-primary' };
  return element(
    'form',
    [
      element('label', testLabel, { for: number.id, class: 'form-label' }),
      element(
        'div',
        input(number) + element('button', isMessage ? 'Send me a test' : 'Test', send),
        { class: 'input-group' },
      ),
      element('div', help, { id: number['aria-describedby'], class: 'small' }),
      element('div', '', { id: testId(run) }),
    ].join(''),
    { class: 'mb-3', onsubmit: onTest(action, run) },
  );
}

/** Collapsed names below what they have in common. */
const folded = (common: string, some: SomeRows) =>
  element(
    'details',
    element('summary', escapeHtml(common)) + named(some.who, rowCount(some), some.who.length),
    { class: 'mb-3' },
  );

/** Problems, one for each reason. Those of many rows are collapsed. */
function problemList({ problems }: BatchView): string {
  const isLong = ({ who }: RowProblem) => who.length > mostNamed;
  const short = problems.filter((one) => !isLong(one)).map(problemText);
  const long = problems.filter(isLong).map((one) => {
    const { outcome, message } = one;
    return folded(problemText({ outcome, message, who: [rows(rowCount(one))] }), one);
  });
  return [short.length > 0 ? list(short) : '', ...long].join('');
}

function ofPrevious(
  action: Action,
  { key, state, counts, startedAt }: NonNullable<BatchView['previous']>,
): string {
  const isRunning = state === 'running';
  const status = isRunning ? ' and is in progress' : `: ${countsInWords(action, counts)}`;
  const link = element('a', 'View batch', {
    ...{ href: runUrl(key), target: '_blank', class: 'alert-link' },
  });
  return `The last batch started on ${localTime(new Date(startedAt))}${escapeHtml(status)}. ${link}`;
}

const resultIsGone =
  "The result of the last batch was deleted, so the plugin can't skip rows that it sent.";

function previousText(
  action: Action,
  { context }: SaltcornBatch,
  { previous, isPreviousDeleted }: BatchView,
): string {
  const text = previous
    ? ofPrevious(action, previous)
    : isPreviousDeleted && !context.columns
      ? resultIsGone
      : '';
  return text && element('p', text, { class: 'alert alert-warning' });
}

/** Lets the user decide about rows to which something was sent before. The choice opens another preview. */
function skipPart(
  run: SaltcornBatch,
  decided: BatchView['repeated'][],
  texts: string[],
  [skip, include]: [skip: SkipPath, include: SkipPath],
): string {
  const rows = decided.filter((one) => one !== undefined);
  if (rows.length === 0) return '';
  const isSkipped = rows.every((one) => one.isSkipped);
  const id = `${skip}-${run.key}`;
  const box = {
    ...{ type: 'checkbox', id, class: 'form-check-input', autocomplete: 'off' },
    ...(isSkipped && { checked: true }),
    onchange: onClick(run, isSkipped ? include : skip, 'this.checked = !this.checked'),
  };
  const label = element('label', 'Skip these rows', { for: id, class: 'form-check-label' });
  const choice = element('div', input(box) + label, { class: 'form-check' });
  const html = texts.filter(Boolean).map(paragraph).join('') + choice;
  return element('div', html, { class: 'alert alert-warning' });
}

/** The rows that an earlier batch has started. */
const pendingText = (pending: SomeRows | undefined) =>
  pending
    ? paragraph(
        `Outcome unknown: ${rows(rowCount(pending))}. The plugin checks the account's log and sends nothing twice:`,
      ) + named(pending.who, rowCount(pending))
    : '';

function question(action: Action, run: SaltcornBatch, view: BatchView, mayTest: boolean): string {
  const { counts, pending, waiting } = view;
  const cost = view.cost ? costText(view.cost) : '';
  const toSend = toSendCount(view);
  const failed = counts.failed + counts['opted-out'] + counts.unknown;
  const shownAgain = shownAgainText(view);
  return [
    shownAgain &&
      element('p', escapeHtml(shownAgain), { class: 'alert alert-warning', role: 'status' }),
    previousText(action, run, view),
    skipPart(run, [view.repeated], [repeatedText(action, view)], ['skip-sent', 'repeat']),
    skipPart(
      run,
      [view.changed, view.sentSingly],
      [changedText(action, view), sentSinglyText(action, view)],
      ['skip', 'include'],
    ),
    toSend > 0
      ? paragraph(`${action.name} for ${rows(toSend)} of “${run.context.tableName}”:`) +
        named(waiting, toSend) +
        paragraph(action.batch?.outcome ? 'First message:' : 'First row:') +
        exampleOf(action, view)
      : '',
    cost && paragraph(cost),
    mayTest && canTest(action, run) ? testForm(action, run) : '',
    paragraphIfAny(skippedText(view.alreadySent ?? 0, 'already-done')),
    paragraphIfAny(skippedText(counts.duplicate, 'duplicate')),
    pendingText(pending),
    failed > 0 ? paragraph(`Skipping ${rows(failed)}:`) : '',
    problemList(view),
    allRows(run),
    toSend > 0
      ? pressed(run, 'start', batchLabel(action, toSend), 'primary')
      : pending
        ? pressed(run, 'start', "Check the account's log", 'primary')
        : '',
    close(counts.waiting > 0 ? 'Cancel' : 'Close'),
  ].join('');
}

function progressCounts(run: SaltcornBatch, view: BatchView): string {
  const [ended, all] = progressOf(view);
  const text = `${ended} of ${all}`;
  return [
    element('p', text, { role: 'status' }),
    element('progress', '', {
      ...{ class: 'w-100 mb-3', value: ended, max: all, 'aria-label': text },
    }),
    show(run, 'progress', progressId(run), interval),
  ].join('');
}

const stopping = 'Stopping …';

// The page replaces it only when the batch has stopped. If the request fails, the user can click again.
const onStop = (run: SaltcornBatch) =>
  `this.disabled = true; this.textContent = '${stopping}'; $.post('${runUrl(run.key)}/stop', { _csrf: _sc_globalCsrf }).fail(() => { this.disabled = false; this.textContent = 'Stop'; })`;

// The button stays in the page: replacing it between its press and release would lose the click.
const progress = (run: SaltcornBatch, view: BatchView) =>
  element('div', progressCounts(run, view), { id: progressId(run) }) +
  element('button', run.isStopping ? stopping : 'Stop', {
    ...{ type: 'button', class: 'btn btn-outline-primary me-2' },
    ...(run.isStopping && { disabled: true }),
    onclick: onStop(run),
  });

/** Shows on the button that the batch was stopped, which may have happened in another tab. */
const showStopping = (run: SaltcornBatch) =>
  element('script', `$('#${progressId(run)}').next().prop('disabled', true).text('${stopping}');`);

/** The progress of a batch or, when it has ended, its result. */
export const progressPart = (action: Action, run: SaltcornBatch): string =>
  run.state === 'running'
    ? progressCounts(run, batchView(action, run)) + (run.isStopping ? showStopping(run) : '')
    : show(run, 'part', runId(run), 0);

function doneNames(action: Action, { done, counts }: BatchView): string {
  const some = { who: done, more: counts.done - done.length };
  return counts.done > 0 ? folded(`${rows(counts.done)} ${successWord(action)}`, some) : '';
}

/** What deleting the batch means for the button's next one. */
const deletionQuestion = ({ columns, tableName }: SaltcornBatch['context']) =>
  columns
    ? `Delete this batch? Only this result is deleted. The rows of “${tableName}” still record who got it, so the next batch skips them.`
    : `Delete this batch? The plugin then no longer knows who got it, so the next batch may send to the same people again. The rows of “${tableName}” and the messages sent are not deleted.`;

/**
 * Reloads the lists behind the dialog, which may show the outcomes. Other views are left alone, because they may contain unsaved text.
 * Outside a dialog, jQuery isn't loaded yet, and there are no lists.
 */
const refreshLists = () =>
  element(
    'script',
    `if (window.$) new Set($('[data-sc-state-hash]').not('#scmodal *').closest('[data-sc-embed-viewname]').get().map((list) => list.getAttribute('data-sc-embed-viewname'))).forEach((name) => reload_embedded_view(name));`,
  );

/** Whether rows did not run because the user stopped the batch, not because of a problem. */
const isStopped = ({ outcome, message }: RowProblem) => outcome === 'not-run' && !message;

// A double click would load the preview a second time, over the batch that the user may have started by then.
const onContinue = `this.disabled = true; setTimeout(() => { this.disabled = false; }, ${doubleClickMs}); ${repeatClick}()`;

/** Lets the user continue. The preview of the rest needs what the page of the button shows, so elsewhere this says to press the button. */
function continuePart(run: SaltcornBatch, { problems }: BatchView): string {
  if (run.state !== 'interrupted' && !problems.some(isStopped)) return '';
  const id = `continue-${run.key}`;
  const button = { type: 'button', class: 'btn btn-primary me-2 d-none', id };
  return [
    element('p', 'To continue, press the button again.'),
    element('button', 'Continue', { ...button, onclick: onContinue }),
    element(
      'script',
      `if (window.${repeatClick}) $('#${id}').removeClass('d-none').prev().addClass('d-none');`,
    ),
  ].join('');
}

/** How to repeat rows whose outcome the account's log did not show; empty if none. */
function unknownPart(action: Action, { context }: SaltcornBatch, view: BatchView): string {
  const way = context.columns
    ? `empty its “${context.columns.outcome}” and press the button again`
    : `use the action “${action.name}” on a page or list with that row, not “${action.name} for each row”`;
  return paragraphIfAny(unknownText(view, way));
}

function styleOf({ problems }: BatchView): 'success' | 'warning' | 'danger' {
  if (problems.length === 0) return 'success';
  return problems.every(isStopped) ? 'warning' : 'danger';
}

function result(action: Action, run: SaltcornBatch, view: BatchView): string {
  const { context } = run;
  const confirmed = confirmedText(view.confirmed);
  return [
    element('p', escapeHtml(`${action.name}: ${countsInWords(action, view.counts)}.`), {
      ...{ class: `alert alert-${styleOf(view)}`, role: 'status' },
    }),
    confirmed && element('p', confirmed),
    problemList(view),
    run.state === 'interrupted' ? '' : unknownPart(action, run, view),
    doneNames(action, view),
    allRows(run),
    continuePart(run, view),
    element('a', 'Download as CSV', {
      ...{ href: `${runUrl(run.key)}/${csvPath}`, download: true },
      class: 'btn btn-outline-primary me-2',
    }),
    pressed(run, 'delete', 'Delete this batch', 'outline-primary', deletionQuestion(context)),
    refreshLists(),
  ].join('');
}

/** Replaces a deleted batch. */
export const deleted = (): string =>
  element('p', 'The batch was deleted. Press its button to start over.', {
    ...{ class: 'alert alert-success', role: 'status' },
  });

function interrupted(action: Action, run: SaltcornBatch, view: BatchView): string {
  const { columns, tableName } = run.context;
  const advice = columns
    ? `Each row's outcome is stored in “${tableName}”. If you continue, the plugin checks rows in progress in the account's log first, and sends nothing twice.`
    : "If you continue, the plugin skips rows already sent, and checks rows in progress in the account's log first.";
  const warning = `Saltcorn stopped during this batch. ${advice}`;
  return paragraph(warning) + result(action, run, view);
}

/**
 * The current part of a batch: its preview, progress or result.
 *
 * @param mayTest whether the user may send the first message to any number
 */
export function runPart(
  action: Action,
  run: SaltcornBatch,
  previous: Previous,
  mayTest = false,
): string {
  const view = batchView(action, run, previous);
  if (run.state === 'preview') return question(action, run, view, mayTest);
  if (run.state === 'interrupted') return interrupted(action, run, view);
  return run.state === 'running' ? progress(run, view) : result(action, run, view);
}

/** The page of a batch, which can also be in a popup. Its parts replace each other. */
export const runPage = (
  action: Action,
  run: SaltcornBatch,
  previous: Previous,
  mayTest = false,
): string =>
  element('div', runPart(action, run, previous, mayTest), {
    ...{ id: runId(run), class: `${batchClass} py-2`, 'aria-live': 'polite' },
  });
