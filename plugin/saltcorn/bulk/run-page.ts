import { genericElement, input } from '@saltcorn/markup/tags';
import {
  type Action,
  type BatchBuilder,
  type BatchButton,
  type BatchPageChoice,
  type BatchSection,
  batchPage,
  batchPageTexts,
  batchPart,
  batchView,
  definitions,
  type RowView,
  readingPart,
  recipientField,
  rowColumns,
  rowsPerPage,
  type Said,
  type Say,
  type SkipChoice,
  sentence,
} from '../../../src/builder.ts';
import { say } from '../translated.ts';
import { sayHtml as html } from '../view/local-time.ts';
import type { Previous, SaltcornBatch } from './batch-context.ts';

const name = 'Saltcorn';

/** How often the page reads the progress, in milliseconds. */
const interval = 700;

/** How long a second click may be the second half of a double click, in milliseconds. */
const doubleClickMs = 2_000;

export const prefix = `/${definitions.manifest.id}/run`;

/** The path that opens another preview of the same rows, with or without some of them. */
const choicePath = (name: keyof SkipChoice, isSkipped: boolean) =>
  `${name}-${isSkipped ? 'yes' : 'no'}`;

/** What the previews at these paths skip. */
export const skipChoices: Record<string, SkipChoice> = Object.fromEntries(
  (['skipsSent', 'skipsChanged', 'skipsSentSingly'] as const).flatMap((name) =>
    [true, false].map((isSkipped) => [choicePath(name, isSkipped), { [name]: isSkipped }]),
  ),
);

/** The path of the CSV file with the rows and their outcomes. */
export const csvPath = 'csv';

/** The path of a page of the rows. */
export const listPath = 'list';

export const runUrl = (key: string) => `${prefix}/${key}`;

/** An element with HTML content. */
const element = (name: string, content: string, attributes: Record<string, unknown> = {}) =>
  genericElement(name, attributes, content);

const list = (items: Said[] = []) =>
  items.length > 0 ? element('ul', items.map((item) => element('li', html(item))).join('')) : '';

/** A text in a script. */
const quoted = (said: Said) => `'${say(said).replaceAll(/[\\']/g, '\\$&')}'`;

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
      `if (status !== 'error') return; $(place).find('[role=status]').text(${quoted(sentence('{builder} is not responding. Trying again …', { builder: name }))}); setTimeout(show, ${interval}, place); `,
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

// The page replaces it only when the batch has stopped. If the request fails, the user can click again.
const onStop = (run: SaltcornBatch, { label, busyLabel = label }: BatchButton) =>
  `this.disabled = true; this.textContent = ${quoted(busyLabel)}; $.post('${runUrl(run.key)}/stop', { _csrf: _sc_globalCsrf }).fail(() => { this.disabled = false; this.textContent = ${quoted(label)}; })`;

// A double click would load the preview a second time, over the batch that the user may have started by then.
const onContinue = `this.disabled = true; setTimeout(() => { this.disabled = false; }, ${doubleClickMs}); ${repeatClick}()`;

/** What a button does, by its id. The others load the next part from the path that is their id. */
const attributesOf: Partial<
  Record<BatchButton['id'], (run: SaltcornBatch, button: BatchButton) => object>
> = {
  stop: (run, button) => ({ onclick: onStop(run, button) }),
  continue: ({ key }) => ({ id: `continue-${key}`, onclick: onContinue }),
  // A batch can also be a page of its own.
  close: () => ({
    'data-bs-dismiss': 'modal',
    onclick: "if (!this.closest('.modal')) window.close()",
  }),
};

function drawButton(run: SaltcornBatch, one: BatchButton): string {
  const { id, label, isPrimary, isDisabled, question } = one;
  const style = `btn btn-${isPrimary ? 'primary' : 'outline-primary'} me-2 mb-2`;
  if (id === 'csv')
    return element('a', html(label), {
      ...{ href: `${runUrl(run.key)}/${csvPath}`, download: true, class: style },
    });
  const load = onClick(run, id);
  const onclick = question ? `if (confirm(${JSON.stringify(say(question))})) { ${load} }` : load;
  return element('button', html(label), {
    // The preview of the rest needs what the page of the button shows, so elsewhere a sentence says to press the button.
    ...{ type: 'button', class: id === 'continue' ? `${style} d-none` : style },
    ...(isDisabled && { disabled: true }),
    ...(attributesOf[id]?.(run, one) ?? { onclick }),
  });
}

const showContinue = ({ key }: SaltcornBatch) =>
  element(
    'script',
    `if (window.${repeatClick}) $('#continue-${key}').removeClass('d-none').prev().addClass('d-none');`,
  );

/** The input of the first row. */
function drawExample(pairs: NonNullable<BatchSection['example']>): string {
  const drawn = pairs.map(
    ([label, value]) =>
      element('dt', html(label), { class: 'col-sm-3' }) +
      element('dd', html(value), {
        ...{ class: 'col-sm-9', style: 'white-space: pre-wrap' },
      }),
  );
  return element('dl', drawn.join(''), { class: 'row border rounded mx-0 py-2' });
}

const testId = ({ key }: SaltcornBatch) => `test-${key}`;

/** The outcome of a test, which replaces the outcome of an earlier one. */
export const testResult = (write: (say: Say) => string, style: 'success' | 'danger'): string =>
  element('p', write(html), { class: `alert alert-${style} mt-2 mb-0`, role: 'status' });

/**
 * Sends the number in the form, and shows the outcome below it. Until then, the batch can't be started: its progress would replace the
 * outcome.
 */
function onTest({ ifUnknown }: Action, run: SaltcornBatch): string {
  const unknown = sentence('{builder} did not respond, so the outcome is unknown. {advice}', {
    builder: name,
    advice: { text: ifUnknown },
  });
  const lost = testResult((say) => say(unknown), 'danger');
  return [
    `const buttons = $('#${runId(run)} button:not([data-bs-dismiss])').prop('disabled', true)`,
    `const result = $('#${testId(run)}').text(${quoted(sentence('Testing…'))})`,
    `result.load('${runUrl(run.key)}/test', { _csrf: _sc_globalCsrf, recipient: this.recipient.value }, (_, status) => { buttons.prop('disabled', false); if (status === 'error') result.html(${JSON.stringify(lost)}); })`,
    'return false',
  ].join('; ');
}

/** Lets the user send the first message to a number of their own before they start the batch. */
function drawTest(
  action: Action,
  run: SaltcornBatch,
  { label, button, help }: NonNullable<BatchSection['test']>,
): string {
  const number = {
    ...{ type: 'tel', name: 'recipient', id: `number-${run.key}`, class: 'form-control' },
    ...{ autocomplete: 'tel', placeholder: recipientField(action)?.placeholder },
    'aria-describedby': `help-${run.key}`,
  };
  const send = { type: 'submit', class: 'btn btn-outline-primary' };
  return element(
    'form',
    [
      element('label', html(label), { for: number.id, class: 'form-label' }),
      element('div', input(number) + element('button', html(button), send), {
        class: 'input-group',
      }),
      element('div', html(help), { id: number['aria-describedby'], class: 'small' }),
      element('div', '', { id: testId(run) }),
    ].join(''),
    { class: 'mb-3', onsubmit: onTest(action, run) },
  );
}

const listId = ({ key }: SaltcornBatch) => `list-${key}`;

const loadList = (run: SaltcornBatch, query: string) =>
  `$('#${listId(run)}').load('${runUrl(run.key)}/${listPath}?' + $.param(${query}))`;

/** The rows of a page. */
function rowTable(shown: RowView[]): string {
  const columns = ['who', 'outcome', 'reason'] as const;
  const line = (cell: 'td' | 'th', texts: Said[]) =>
    element('tr', texts.map((text) => element(cell, html(text))).join(''));
  const head = line(
    'th',
    columns.map((column) => rowColumns[column]),
  );
  const body = shown.map((row) =>
    line(
      'td',
      columns.map((column) => row[column]),
    ),
  );
  return element('table', element('thead', head) + element('tbody', body.join('')), {
    class: 'table table-sm',
  });
}

/** A page of the rows, and the ways to the others. */
export function listPart(action: Action, run: SaltcornBatch, choice: BatchPageChoice): string {
  const { shown, outcomes, outcome, count, page } = batchPage(action, run.items, choice, say);
  const first = (page - 1) * rowsPerPage;
  const last = first + shown.length;
  const texts = batchPageTexts;
  const all = element('option', html(texts.all(run.items.length)), { value: '' });
  const options = outcomes.map(([word, many]) =>
    element('option', html(texts.outcome(word, many)), {
      ...{ value: word, ...(word === outcome && { selected: true }) },
    }),
  );
  const to = (label: Said, next: number, isPossible: boolean) =>
    element('button', html(label), {
      ...{ type: 'button', class: 'btn btn-sm btn-outline-primary' },
      ...(!isPossible && { disabled: true }),
      onclick: loadList(run, JSON.stringify({ outcome, page: next })),
    });
  return [
    element('select', all + options.join(''), {
      ...{ class: 'form-select form-select-sm my-2', 'aria-label': say(rowColumns.outcome) },
      onchange: loadList(run, '{ outcome: this.value }'),
    }),
    rowTable(shown),
    element(
      'div',
      [
        to(texts.previous, page - 1, page > 1),
        element('span', html(texts.shown(first + 1, last, count))),
        to(texts.next, page + 1, last < count),
      ].join(''),
      { class: 'd-flex justify-content-between align-items-center' },
    ),
  ].join('');
}

/** Lets the user decide about rows to which something was sent before. The choice opens another preview. */
function drawChoice(
  run: SaltcornBatch,
  { name, isSkipped, label }: NonNullable<BatchSection['choice']>,
): string {
  const box = {
    ...{ type: 'checkbox', id: `${name}-${run.key}`, class: 'form-check-input' },
    ...{ autocomplete: 'off', ...(isSkipped && { checked: true }) },
    onchange: onClick(run, choicePath(name, !isSkipped), 'this.checked = !this.checked'),
  };
  const labelled = element('label', html(label), { for: box.id, class: 'form-check-label' });
  return element('div', input(box) + labelled, { class: 'form-check' });
}

const viewBatch = (key: string) =>
  element('a', html(sentence('View batch')), {
    ...{ href: runUrl(key), target: '_blank', class: 'alert-link' },
  });

const drawProgress = ({ sentences, progress }: BatchSection) =>
  progress
    ? element('progress', '', {
        ...{ class: 'w-100 mb-3', value: progress.ended, max: progress.all },
        'aria-label': sentences.map(say).join(' '),
      })
    : '';

function drawSection(action: Action, run: SaltcornBatch, section: BatchSection): string {
  const { sentences, tone, isStatus, batch, names, isFolded, isTable, lines } = section;
  const { example, choice, test } = section;
  const said = sentences.map(html).join(' ');
  if (isFolded)
    return element('details', element('summary', said) + list(names), { class: 'mb-3' });
  if (isTable)
    return element('details', element('summary', said) + element('div', '', { id: listId(run) }), {
      ...{ class: 'mb-3', ontoggle: `if (this.open) ${loadList(run, '{}')}` },
    });
  if (test) return drawTest(action, run, test);
  const box = tone && { class: `alert alert-${tone}` };
  const status = isStatus && { role: 'status' };
  if (choice)
    return element('div', element('p', said) + drawChoice(run, choice), { ...box, ...status });
  const text = batch ? `${said} ${viewBatch(batch)}` : said;
  return [
    text && element('p', text, { ...box, ...status }),
    ...[list(names), list(lines), example ? drawExample(example) : '', drawProgress(section)],
  ].join('');
}

/** What Saltcorn says in its own words, and what the user may do. */
const builderOf = (
  { columns, tableName: table = '' }: SaltcornBatch['context'],
  mayTest: boolean,
): BatchBuilder => ({
  ...{ name, table, mayTest },
  toContinue: sentence('To continue, press the button again.'),
  toRepeat: (action) =>
    columns
      ? sentence('empty its “{column}” and press the button again', { column: columns.outcome })
      : sentence(
          'use the action “{name}” on a page or list with that row, not “{name} for each row”',
          { name: { text: action.name } },
        ),
  ...(columns && {
    interrupted: sentence(
      "{builder} stopped during this batch. Each row's outcome is stored in “{table}”. If you continue, the plugin checks rows in progress in the account's log first, and sends nothing twice.",
      { builder: name, table },
    ),
    toDelete: sentence(
      'Delete this batch? Only this result is deleted. The rows of “{table}” still record who got it, so the next batch skips them.',
      { table },
    ),
  }),
});

/** Shows on the button that the batch was stopped, which may have happened in another tab. */
const showStopping = (run: SaltcornBatch, { label }: BatchButton) =>
  element(
    'script',
    `$('#${progressId(run)}').next().prop('disabled', true).text(${quoted(label)});`,
  );

/**
 * Reloads the lists behind the dialog, which may show the outcomes. Other views are left alone, because they may contain unsaved text.
 * Outside a dialog, jQuery isn't loaded yet, and there are no lists.
 */
const refreshLists = () =>
  element(
    'script',
    `if (window.$) new Set($('[data-sc-state-hash]').not('#scmodal *').closest('[data-sc-embed-viewname]').get().map((list) => list.getAttribute('data-sc-embed-viewname'))).forEach((name) => reload_embedded_view(name));`,
  );

/** Replaces a deleted batch. */
export const deleted = (): string =>
  element('p', html(sentence('The batch was deleted. Press its button to start over.')), {
    ...{ class: 'alert alert-success', role: 'status' },
  });

/** The sections and buttons of a batch as HTML. */
function drawn(action: Action, run: SaltcornBatch, previous: Previous, mayTest: boolean) {
  const builder = builderOf(run.context, mayTest);
  const part = run.reading
    ? readingPart(run.reading, builder)
    : batchPart(action, batchView(action, run, previous, say), builder);
  const [first] = part.buttons;
  return {
    first,
    sections: part.sections.map((section) => drawSection(action, run, section)).join(''),
    buttons: part.buttons.map((button) => drawButton(run, button)).join(''),
  };
}

/** The progress of a batch or, when it has ended, its result. */
export function progressPart(action: Action, run: SaltcornBatch): string {
  if (run.state !== 'running') return show(run, 'part', runId(run), 0);
  const { sections, first } = drawn(action, run, {}, false);
  const next = show(run, 'progress', progressId(run), interval);
  return sections + next + (first?.isDisabled ? showStopping(run, first) : '');
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
  const { first, sections, buttons } = drawn(action, run, previous, mayTest);
  if (run.state === 'preview') return sections + buttons;
  if (run.reading) {
    const isOver = run.reading.problem || run.reading.isInterrupted;
    return sections + (isOver ? '' : show(run, 'part', runId(run), interval)) + buttons;
  }
  if (run.state !== 'running')
    return [
      ...[sections, buttons, first?.id === 'continue' ? showContinue(run) : '', refreshLists()],
    ].join('');
  // The button stays in the page: replacing it between its press and release would lose the click.
  const next = show(run, 'progress', progressId(run), interval);
  return element('div', sections + next, { id: progressId(run) }) + buttons;
}

/** The page of a batch, which can also be in a popup. Its parts replace each other. */
export const runPage = (
  action: Action,
  run: SaltcornBatch,
  previous: Previous,
  mayTest = false,
): string =>
  element('div', runPart(action, run, previous, mayTest), {
    ...{ id: runId(run), class: `${batchClass} py-2 text-break`, 'aria-live': 'polite' },
  });
