import type { FlowContext } from '@nocobase/flow-engine';
import { Button, Popconfirm, Space } from 'antd';
import { useEffect, useState } from 'react';
import {
  type Action,
  type BatchBuilder,
  type BatchButton,
  type BatchPage,
  type BatchView,
  batchPart,
  type SkipChoice,
  sayIn,
  sentence,
} from '../../../../src/builder.ts';
import { h, type Translate } from '../host.ts';
import { timeText } from '../time-text.ts';
import { failureText } from './failure-text.ts';
import { RunPart } from './run-part.ts';

/** How often to read a batch's progress, in milliseconds. */
const interval = 700;

/** After how many failed polls in a row the dialog says so. */
const mostMissedPolls = 5;

const noProgress = sentence(
  '{builder} does not respond. The progress is shown again as soon as it does.',
  { builder: 'NocoBase' },
);

export type RunStep = 'start' | 'stop' | 'see' | 'check' | 'choose';

interface Question {
  action: Action;
  t: Translate;
  run: BatchView;
  /** The title of the collection. */
  table: string;
  /** Changes or reads a batch, and resolves to its new state. */
  step(step: RunStep, key: string, more?: object): Promise<BatchView>;
  /** Previews the rows of the button again, and resolves to the new batch. */
  preview(): Promise<BatchView>;
  remove(key: string): Promise<unknown>;
  /** Reads a page of the batch's rows. */
  list(key: string, choice: object): Promise<BatchPage>;
  /** Saves the rows and their outcomes as a CSV file. */
  download(key: string): Promise<void>;
}

/** A NocoBase dialog. */
interface Dialog {
  Header: unknown;
  Footer: unknown;
  close(): void;
}

/** What NocoBase says in its own words. */
const builderOf = (table: string): BatchBuilder => ({
  ...{ name: 'NocoBase', table, checksDelivery: true },
  toRepeat: ({ name }) => sentence("use the row's own button “{name}”", { name: { text: name } }),
});

/** Shows the preview of a batch, its progress and its result. */
function RunDialog(props: Question & { dialog: Dialog }) {
  const { action, t, run: first, table, step, dialog } = props;
  const say = sayIn(t, (time) => timeText(time.toISOString()));
  const [run, setRun] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [missedPolls, setMissedPolls] = useState(0);

  const act = (name: RunStep, key = run.key) => show(step(name, key));

  async function show(next: Promise<BatchView>) {
    setBusy(true);
    try {
      setRun(await next);
      setProblem('');
    } catch (error) {
      setProblem(failureText(say, error));
    }
    setBusy(false);
  }

  async function remove() {
    setBusy(true);
    try {
      await props.remove(run.key);
      dialog.close();
    } catch (error) {
      setProblem(failureText(say, error));
      setBusy(false);
    }
  }

  async function download() {
    setBusy(true);
    await props.download(run.key).then(
      () => setProblem(''),
      (error) => setProblem(failureText(say, error)),
    );
    setBusy(false);
  }

  useEffect(() => {
    if (run.state !== 'running') return undefined;
    const timer = setTimeout(async () => {
      await step('see', run.key).then(
        (next) => {
          setRun(next);
          setMissedPolls(0);
        },
        // The next poll may succeed.
        () => setMissedPolls(missedPolls + 1),
      );
    }, interval);
    return () => clearTimeout(timer);
  }, [run, missedPolls]);

  const { sections, buttons } = batchPart(action, run, builderOf(table));
  const actOf: Record<BatchButton['id'], () => unknown> = {
    start: () => act('start'),
    stop: () => act('stop'),
    check: () => act('check'),
    continue: () => show(props.preview()),
    csv: download,
    delete: remove,
    close: () => dialog.close(),
  };
  const button = ({ id, label, isPrimary, isDisabled, question }: BatchButton) => {
    const onClick = actOf[id];
    const look = {
      ...{ key: id, disabled: isBusy || isDisabled === true },
      ...(isPrimary && { type: 'primary' }),
      ...(id === 'close' && run.state === 'preview' && { autoFocus: true }),
    };
    if (!question) return h(Button, { onClick, ...look }, say(label));
    const texts = { okText: t('Delete'), cancelText: say(sentence('Cancel')) };
    const asked = { key: id, title: say(question), ...texts, onConfirm: onClick };
    return h(Popconfirm, asked, h(Button, look, say(label)));
  };
  return h(
    'div',
    { 'aria-live': 'polite' },
    h(dialog.Header, { title: t(action.name) }),
    h(RunPart, {
      ...{ sections, say, run, isBusy },
      problem: problem || (missedPolls >= mostMissedPolls ? say(noProgress) : ''),
      see: (key: string) => act('see', key),
      list: (choice: object) => props.list(run.key, choice),
      choose: (choice: SkipChoice) => show(step('choose', run.key, choice)),
    }),
    // The most important button of a dialog of NocoBase is the last.
    h(dialog.Footer, null, h(Space, { wrap: true }, buttons.map(button).reverse())),
  );
}

/** Shows a batch. Resolves when the user closes the dialog. */
export function showRun(question: Question, { viewer }: FlowContext): Promise<void> {
  return new Promise((resolve) => {
    viewer.dialog({
      closable: true,
      // The dialog shrinks when the batch starts, so the second click of a double click would land outside and close
      // it.
      maskClosable: false,
      content: (dialog: Dialog) => h(RunDialog, { ...question, dialog }),
      onClose: () => resolve(),
    });
  });
}
