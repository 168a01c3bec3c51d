import { Alert, Button, Checkbox, Collapse, Descriptions, Progress } from 'antd';
import {
  type Action,
  type BatchPage,
  type BatchView,
  countsByWord,
  countText,
  rowCount,
  type SkipChoice,
  successWord,
  toSendCount,
} from '../../../../src/builder.ts';
import { h, type ReactNode, type Translate } from '../host.ts';
import { timeText } from '../time-text.ts';
import { problemTexts, severityOf } from './problem-texts.ts';
import { RowTable } from './row-table.ts';

/** How many rows a batch can have before its preview names only some. */
const mostNamed = 10;

interface PartProps {
  action: Action;
  t: Translate;
  run: BatchView;
  /** The title of the collection. */
  table: string;
  problem: string;
  isBusy: boolean;
  see(key: string): void;
  /** Reads a page of the batch's rows. */
  list(choice: { outcome: string; page: number }): Promise<BatchPage>;
  /** Opens a preview with or without the rows of earlier batches. */
  choose(choice: SkipChoice): void;
}

const margin = { style: { marginBottom: 16 } };
const paragraph = (text: string) => h('p', null, text);
const list = (texts: string[]) =>
  h(
    'ul',
    null,
    texts.map((text, index) => h('li', { key: index }, text)),
  );

/** The names of some rows, and how many more there are. */
function named(t: Translate, names: string[], count: number) {
  const more = count - names.length;
  return list(more > 0 ? [...names, t('and {{count}} more', { count: more })] : names);
}

const countsText = (t: Translate, action: Action, counts: BatchView['counts']) =>
  countsByWord(action, counts)
    .map(([word, count]) =>
      word === successWord(action) && action.results
        ? t(countText(action, word, count)).replace('{count}', String(count))
        : `${count} ${t(word)}`,
    )
    .join(', ');

const problemList = ({ t, run }: PartProps) =>
  run.problems.length > 0 && list(problemTexts(t, run));

/** The previous batch of the same button. */
function previousText({ action, t, run, see }: PartProps): ReactNode {
  if (run.isPreviousDeleted) {
    const message = t(
      "The result of the last batch was deleted, so the plugin can't skip rows that it sent.",
    );
    return h(Alert, { type: 'warning', message, ...margin });
  }
  if (!run.previous) return null;
  const { key, state, startedAt, counts } = run.previous;
  const time = timeText(startedAt);
  const message =
    state === 'running'
      ? t('The last batch started on {{time}} and is in progress.', { time })
      : t('The last batch started on {{time}}: {{counts}}.', {
          time,
          counts: countsText(t, action, counts),
        });
  const style = { marginInlineStart: 8 };
  const link = h(Button, { size: 'small', style, onClick: () => see(key) }, t('View batch'));
  return h(Alert, { type: 'warning', message, action: link, ...margin });
}

/** The input of the first row. */
function example({ action, t, run }: PartProps): ReactNode {
  const items = action.fields
    .filter(({ key }) => run.example[key] !== undefined)
    .map(({ key, label }) => ({ key, label: t(label), children: run.example[key] }));
  const style = { whiteSpace: 'pre-wrap', ...margin.style };
  return h(Descriptions, { items, column: 1, size: 'small', bordered: true, style });
}

/** What the batch costs, and its senders. */
function cost({ t, run }: PartProps): ReactNode {
  const { segments, recipients = 0, senders = [] } = run.cost ?? {};
  const count = (number: number, one: string, other: string) =>
    t(number === 1 ? one : other, { count: number });
  const bill =
    segments !== undefined &&
    t('Cost: {{segments}} to {{people}}.', {
      segments: count(segments, '{{count}} SMS segment', '{{count}} SMS segments'),
      people: count(recipients, '{{count}} person', '{{count}} people'),
    });
  const sender = senders.length > 0 && t('Sender: {{senders}}.', { senders: senders.join(', ') });
  const text = [bill, sender].filter(Boolean).join(' ');
  return text && paragraph(text);
}

function warning(message: string): ReactNode {
  return message && h(Alert, { type: 'warning', message, ...margin });
}

const skipped = (t: Translate, count: number, one: string, other: string) =>
  count > 0 && paragraph(t(count === 1 ? one : other, { count }));

const forRows = (count: number) =>
  count === 1
    ? '{{name}} for {{count}} row of “{{table}}”:'
    : '{{name}} for {{count}} rows of “{{table}}”:';

/** Lets the user decide about rows to which something was sent before. */
function skipPart(
  { t, isBusy, choose }: PartProps,
  choice: keyof SkipChoice,
  ...decided: [rows: BatchView['repeated'], text: string][]
): ReactNode {
  const all = decided.flatMap(([rows, text]) => (rows ? [{ ...rows, text }] : []));
  if (all.length === 0) return null;
  const isSkipped = all.every((rows) => rows.isSkipped);
  const message = all.map(({ text, count }) => t(text, { count })).join(' ');
  const onChange = () => choose({ [choice]: !isSkipped });
  const box = { checked: isSkipped, disabled: isBusy, onChange };
  const description = h(Checkbox, box, t('Skip these rows'));
  return h(Alert, { type: 'warning', message, description, ...margin });
}

/** The rows to which the same was sent. */
const repeated = (props: PartProps) =>
  skipPart(props, 'skipsSent', [
    props.run.repeated,
    props.action.batch?.outcome
      ? 'This was already sent to {{count}} of these rows.'
      : 'This already ran for {{count}} of these rows with the same values.',
  ]);

/** The rows to which something else was sent. */
function changed(props: PartProps): ReactNode {
  const { action, run } = props;
  const [byBatch, singly] = action.batch?.outcome
    ? ([
        'An earlier batch sent another text to {{count}} of these rows within the last day.',
        'A button or workflow sent another text to {{count}} of these rows within the last day.',
      ] as const)
    : ([
        'An earlier batch ran {{count}} of these rows with other values within the last day.',
        'A button or workflow ran this for {{count}} of these rows with other values within the last day.',
      ] as const);
  return skipPart(props, 'skipsChanged', [run.changed, byBatch], [run.sentSingly, singly]);
}

/** All rows, page by page, if the part doesn't name them all. */
function allRows({ t, run, list: read }: PartProps): ReactNode {
  const count = Object.values(run.counts).reduce((sum, many) => sum + many, 0);
  if (count <= mostNamed) return null;
  const rows = {
    ...{ key: 'rows', label: t('All {{count}} rows', { count }) },
    children: h(RowTable, { t, run, list: read }),
  };
  return h(Collapse, { ghost: true, items: [rows] });
}

function question(props: PartProps): ReactNode {
  const { action, t, run, table } = props;
  const { duplicate, failed, 'opted-out': optedOut, unknown } = run.counts;
  const { pending, alreadySent = 0 } = run;
  const waiting = toSendCount(run);
  const values = { name: t(action.name), count: waiting, table };
  return h(
    'div',
    null,
    run.isShownAgain &&
      warning(
        t(
          'Not started: the rows that are left have changed since you opened this preview, for example through another batch.',
        ),
      ),
    previousText(props),
    repeated(props),
    changed(props),
    waiting > 0 && [
      h('p', { key: 'for' }, t(forRows(waiting), values)),
      h('div', { key: 'names' }, named(t, run.waiting, waiting)),
      h('p', { key: 'first' }, t(action.batch?.outcome ? 'First message:' : 'First row:')),
      h('div', { key: 'example' }, example(props)),
      h('div', { key: 'cost' }, cost(props)),
    ],
    skipped(
      t,
      alreadySent,
      'Skipping {{count}} row: already sent.',
      'Skipping {{count}} rows: already sent.',
    ),
    pending && [
      h(
        'p',
        { key: 'pending' },
        t(
          "Outcome unknown: {{count}}. The plugin checks the account's log and sends nothing twice:",
          { count: rowCount(pending) },
        ),
      ),
      h('div', { key: 'whose' }, named(t, pending.who, rowCount(pending))),
    ],
    skipped(
      t,
      duplicate,
      'Skipping {{count}} row: same message as another row.',
      'Skipping {{count}} rows: same message as another row.',
    ),
    skipped(t, failed + optedOut + unknown, 'Skipping {{count}} row:', 'Skipping {{count}} rows:'),
    problemList(props),
    allRows(props),
  );
}

/** How many rows succeeded. */
function rowsText(t: Translate, { batch }: Action, count: number): string {
  const [one, other] = batch?.outcome
    ? ['{{count}} row sent', '{{count}} rows sent']
    : ['{{count}} row done', '{{count}} rows done'];
  return t(count === 1 ? one : other, { count });
}

function progress({ t, run }: PartProps): ReactNode {
  const { duplicate: _, 'already-done': __, waiting, ...others } = run.counts;
  const ended = Object.values(others).reduce((sum, count) => sum + count, 0);
  const all = ended + waiting;
  return h(
    'div',
    null,
    h('p', { role: 'status' }, t('{{count}} of {{all}}', { count: ended, all })),
    h(Progress, { percent: Math.round((100 * ended) / all), showInfo: false }),
  );
}

function result(props: PartProps): ReactNode {
  const { action, t, run } = props;
  const message = `${t(action.name)}: ${countsText(t, action, run.counts)}.`;
  const names = {
    key: 'done',
    label: rowsText(t, action, run.counts.done),
    children: named(t, run.done, run.counts.done),
  };
  return h(
    'div',
    null,
    run.state === 'interrupted' &&
      paragraph(
        t(
          "NocoBase stopped during this batch. If you continue, the plugin skips rows already sent, and checks rows in progress in the account's log first.",
        ),
      ),
    h(Alert, { role: 'status', type: severityOf(run), message, ...margin }),
    run.confirmed !== undefined &&
      paragraph(
        t("Found in the account's log, so not sent again: {{count}}.", { count: run.confirmed }),
      ),
    problemList(props),
    run.state === 'ended' &&
      run.counts.unknown > 0 &&
      paragraph(
        t(
          "The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, use the row's own button “{{name}}”.",
          { name: t(action.name) },
        ),
      ),
    run.done.length > 0 && h(Collapse, { ghost: true, items: [names] }),
    allRows(props),
  );
}

const parts: Record<BatchView['state'], (props: PartProps) => ReactNode> = {
  preview: question,
  running: progress,
  interrupted: result,
  ended: result,
};

/** The current part of a batch: preview, progress or result. */
export const RunPart = (props: PartProps): ReactNode =>
  h(
    'div',
    { className: `telephony-run-${props.run.state}` },
    props.problem && h(Alert, { type: 'error', message: props.problem, ...margin }),
    parts[props.run.state](props),
  );
