import { escapeHtml } from '@saltcorn/data/utils';
import { genericElement } from '@saltcorn/markup/tags';
import {
  type Action,
  countsOf,
  countsSaid,
  definitions,
  isWithoutProblems,
  problemSaid,
  problemsOf,
  type RowItem,
} from '../../../src/index.ts';
import { isInterrupted, itemsOf, type Run } from './stored-run.ts';

/** How many are named before it is begun. */
const mostNamed = 10;

/** How often it is looked how far it is, in milliseconds. */
const interval = 700;

export const prefix = `/${definitions.manifest.id}/run`;

export const runUrl = ({ name }: Run) => `${prefix}/${name}`;

const isUnderWay = (run: Run) => run.body.state === 'running' && !isInterrupted(run);

/** An element with HTML in it. */
const element = (name: string, html: string, attributes: Record<string, unknown> = {}) =>
  genericElement(name, attributes, html);

const paragraph = (text: string) => element('p', escapeHtml(text));

const list = (texts: string[]) =>
  element('ul', texts.map((text) => element('li', escapeHtml(text))).join(''));

const rows = (count: number) => `${count} ${count === 1 ? 'row' : 'rows'}`;

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

const runId = ({ name }: Run) => `run-${name}`;

const soFarId = ({ name }: Run) => `so-far-${name}`;

/**
 * Shows a part in a place, after so many milliseconds, as long as the place is in the page. It tries again until there is an answer.
 * Where this is read, a page may not have loaded its jQuery yet.
 */
const show = (run: Run, part: string, place: string, wait: number) =>
  element(
    'script',
    `setTimeout(function show(place) { if (place.isConnected) $(place).load('${runUrl(run)}/${part}', (_, status) => status === 'error' && setTimeout(show, ${interval}, place)); }, ${wait}, document.getElementById('${place}'));`,
  );

/** Shows the next part in the place of this one. Where there is no answer, the button can be pressed again. */
const onClick = (run: Run, step: string) =>
  `this.disabled = true; $('#${runId(run)}').load('${runUrl(run)}/${step}', { _csrf: _sc_globalCsrf }, () => { this.disabled = false; })`;

const pressed = (run: Run, step: string, label: string, style: string) =>
  element('button', escapeHtml(label), {
    ...{ type: 'button', class: `btn btn-${style} me-2` },
    onclick: onClick(run, step),
  });

const cancel = () =>
  element('button', 'Cancel', {
    ...{ type: 'button', class: 'btn btn-outline-primary', 'data-bs-dismiss': 'modal' },
    autofocus: true,
  });

function named(items: RowItem[]): string {
  const names = items.slice(0, mostNamed).map(({ who }) => who);
  const more = items.length - names.length;
  return list(more > 0 ? [...names, `and ${more} more`] : names);
}

/** What is sent for the first row. */
function example({ fields }: Action, { values = {} }: RowItem): string {
  const filled = fields.filter(({ key }) => values[key] !== undefined);
  const pairs = filled.map(
    ({ key, label }) =>
      element('dt', escapeHtml(label), { class: 'col-sm-3' }) +
      element('dd', escapeHtml(String(values[key])), {
        ...{ class: 'col-sm-9', style: 'white-space: pre-wrap' },
      }),
  );
  return element('dl', pairs.join(''), { class: 'row border rounded mx-0 py-2' });
}

function problems(items: RowItem[]): string {
  const found = problemsOf(items);
  return found.length > 0 ? list(found.map(problemSaid)) : '';
}

/** A date that Saltcorn's pages show by the clock of whoever looks. */
const dateOf = (text: string) =>
  element('time', new Date(text).toUTCString(), {
    datetime: text,
    'locale-options': encodeURIComponent(
      JSON.stringify({ dateStyle: 'medium', timeStyle: 'short' }),
    ),
  });

function questionBefore(run: Run): string {
  const { startedAt = '' } = run.body;
  const isRunning = isUnderWay(run);
  const became = isRunning ? 'is in progress' : `: ${countsSaid(itemsOf(run))}`;
  const link = element('a', 'See it', { href: runUrl(run), target: '_blank' });
  const text = `The last batch started on ${dateOf(startedAt)}${isRunning ? ' and ' : ''}${escapeHtml(became)}.`;
  return element('p', `${text} ${link}`, { class: 'alert alert-warning' });
}

const leftOut = (count: number, why: string) =>
  count > 0 ? paragraph(`Left out, since ${why}: ${rows(count)}.`) : '';

/** Those for which it was begun before. */
const pendingSaid = (items: RowItem[]) =>
  items.length > 0
    ? paragraph(
        `In progress when the last batch ended: ${rows(items.length)}. The plugin checks the message log and sends nothing twice:`,
      ) + named(items)
    : '';

function question(action: Action, run: Run, before: Run | undefined): string {
  const { items, tableName } = run.body;
  const begun = items.filter(({ isPending }) => isPending);
  const waiting = items.filter(({ outcome, isPending }) => outcome === 'waiting' && !isPending);
  const failed = items.filter(({ outcome }) => outcome === 'failed' || outcome === 'unknown');
  const counts = countsOf(items);
  const [first] = waiting;
  return [
    before ? questionBefore(before) : '',
    waiting.length > 0
      ? paragraph(`${action.name} for ${rows(waiting.length)} of “${tableName}”:`) + named(waiting)
      : '',
    first ? paragraph('The first one:') + example(action, first) : '',
    leftOut(counts.before, 'it is done'),
    leftOut(counts.same, 'another one would send the same'),
    pendingSaid(begun),
    failed.length > 0 ? paragraph(`It cannot be done for ${rows(failed.length)}:`) : '',
    problems(failed),
    waiting.length > 0
      ? pressed(run, 'start', `${action.name} ${times(waiting.length)}`, 'primary')
      : begun.length > 0
        ? pressed(run, 'start', 'Check the message log', 'primary')
        : '',
    cancel(),
  ].join('');
}

function countsSoFar(run: Run): string {
  const { items } = run.body;
  const all = items.filter(({ outcome }) => outcome !== 'same' && outcome !== 'before').length;
  const { waiting } = countsOf(items);
  const text = `${all - waiting} of ${all}`;
  return [
    element('p', text, { role: 'status' }),
    element('progress', '', {
      ...{ class: 'w-100 mb-3', value: all - waiting, max: all, 'aria-label': text },
    }),
    show(run, 'so-far', soFarId(run), interval),
  ].join('');
}

// The button stays the same one, since a click on one that is replaced between its press and its release is none.
const progress = (run: Run) =>
  element('div', countsSoFar(run), { id: soFarId(run) }) +
  pressed(run, 'stop', 'Stop', 'outline-primary');

/** How far a run is; when it is over, what shows what became of it. */
export const soFar = (_: Action, run: Run): string =>
  isUnderWay(run) ? countsSoFar(run) : show(run, 'part', runId(run), 0);

function names(items: RowItem[]): string {
  const done = items.filter(({ outcome }) => outcome === 'done');
  if (done.length === 0) return '';
  const summary = element('summary', `Done for ${rows(done.length)}`);
  return element('details', summary + list(done.map(({ who }) => who)));
}

function result({ name }: Action, items: RowItem[]): string {
  const style = isWithoutProblems(items) ? 'success' : 'danger';
  return [
    element('p', escapeHtml(`${name}: ${countsSaid(items)}.`), {
      ...{ class: `alert alert-${style}`, role: 'status' },
    }),
    problems(items),
    names(items),
  ].join('');
}

function interrupted(action: Action, run: Run): string {
  const advice = run.body.notes
    ? `Each row's outcome is stored in “${run.body.tableName}”. Press the button again to continue: the plugin checks rows in progress in the message log first, and sends nothing twice.`
    : 'Press the button again to continue: rows already sent are skipped, and rows in progress are checked in the message log first.';
  const warning = `Saltcorn stopped during this batch. ${advice}`;
  return paragraph(warning) + result(action, itemsOf(run));
}

/** What is to be seen of a run at the moment: a question, how far it is, or what became of it. */
export function runPart(action: Action, run: Run, before: Run | undefined): string {
  if (run.body.state === 'asked') return question(action, run, before);
  if (isInterrupted(run)) return interrupted(action, run);
  return run.body.state === 'running' ? progress(run) : result(action, run.body.items);
}

/** The page of a run, which is shown in a popup as well. Its parts take each other's place in it. */
export const runPage = (action: Action, run: Run, before: Run | undefined): string =>
  element('div', runPart(action, run, before), {
    ...{ id: runId(run), class: 'py-2', 'aria-live': 'polite' },
  });
