import { Alert, Button, Checkbox, Collapse, Descriptions, Progress } from 'antd';
import {
  type BatchPage,
  type BatchSection,
  type BatchView,
  type Said,
  type Say,
  type SkipChoice,
  sentence,
} from '../../../../src/builder.ts';
import { h, type ReactNode } from '../host.ts';
import { RowTable } from './row-table.ts';

interface PartProps {
  sections: BatchSection[];
  say: Say;
  run: BatchView;
  /** Why the last step failed; empty if it did not. */
  problem: string;
  isBusy: boolean;
  /** Shows another batch. */
  see(key: string): void;
  /** Reads a page of the batch's rows. */
  list(choice: { outcome: string; page: number }): Promise<BatchPage>;
  /** Opens a preview with or without the rows of earlier batches. */
  choose(choice: SkipChoice): void;
}

const margin = { style: { marginBottom: 16 } };

const severities = { success: 'success', warning: 'warning', danger: 'error' } as const;

const drawList = (say: Say, items: Said[] = []) =>
  items.length > 0 &&
  h(
    'ul',
    null,
    items.map((item, index) => h('li', { key: index }, say(item))),
  );

function drawExample(say: Say, pairs: NonNullable<BatchSection['example']>): ReactNode {
  const items = pairs.map(([label, value], key) => ({
    ...{ key, label: say(label), children: say(value) },
  }));
  const style = { whiteSpace: 'pre-wrap', ...margin.style };
  return h(Descriptions, { items, column: 1, size: 'small', bordered: true, style });
}

function drawProgress({ ended, all }: NonNullable<BatchSection['progress']>): ReactNode {
  return h(Progress, { percent: Math.round((100 * ended) / all), showInfo: false });
}

/** Draws a box, with the choice or the batch that it is about. */
function drawBox(
  { choice, batch, tone = 'warning', isStatus }: BatchSection,
  message: string,
  { say, isBusy, choose, see }: PartProps,
): ReactNode {
  return h(Alert, {
    ...{ type: severities[tone], message, ...margin, ...(isStatus && { role: 'status' }) },
    ...(batch && {
      action: h(
        Button,
        { size: 'small', style: { marginInlineStart: 8 }, onClick: () => see(batch) },
        say(sentence('View batch')),
      ),
    }),
    ...(choice && {
      description: h(
        Checkbox,
        {
          ...{ checked: choice.isSkipped, disabled: isBusy },
          onChange: () => choose({ [choice.name]: !choice.isSkipped }),
        },
        say(choice.label),
      ),
    }),
  });
}

function drawSection(section: BatchSection, props: PartProps): ReactNode {
  const { sentences, tone, isStatus, names, lines, example, progress } = section;
  const { say, run, list } = props;
  const text = sentences.map(say).join(' ');
  if (section.isFolded || section.isTable) {
    const children = section.isTable ? h(RowTable, { say, run, list }) : drawList(say, names);
    return h(Collapse, { ghost: true, items: [{ key: 'all', label: text, children }] });
  }
  return [
    text &&
      (tone
        ? drawBox(section, text, props)
        : h('p', { ...(isStatus && { role: 'status' }) }, text)),
    ...[drawList(say, names), drawList(say, lines), example && drawExample(say, example)],
    progress && drawProgress(progress),
  ].map((drawn, key) => h('div', { key }, drawn));
}

/** The current part of a batch: preview, progress or result. */
export const RunPart = (props: PartProps): ReactNode =>
  h(
    'div',
    { key: props.run.state, className: `telephony-run-${props.run.state}` },
    props.problem && h(Alert, { type: 'error', message: props.problem, ...margin }),
    props.sections.map((section, key) => h('div', { key }, drawSection(section, props))),
  );
