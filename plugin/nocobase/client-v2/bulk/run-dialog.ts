import type { FlowContext } from '@nocobase/flow-engine';
import { Button, Popconfirm, Space } from 'antd';
import { useEffect, useState } from 'react';
import {
  type Action,
  type BatchPage,
  type BatchView,
  type SkipChoice,
  toSendCount,
} from '../../../../src/builder.ts';
import { h, type Translate } from '../host.ts';
import { canContinue, failureText } from './problem-texts.ts';
import { RunPart } from './run-part.ts';

/** How often to read a batch's progress, in milliseconds. */
const interval = 700;

export type RunStep = 'start' | 'stop' | 'see' | 'choose';

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

/** The label of the button that starts a batch. */
function startLabel(t: Translate, { name, batch }: Action, count: number): string {
  if (batch) return t(count === 1 ? batch.one : batch.other).replace('{count}', String(count));
  return t('{{name}} {{count}} times', { name: t(name), count });
}

/** Shows the preview of a batch, its progress and its result. */
function RunDialog(props: Question & { dialog: Dialog }) {
  const { action, t, run: first, table, step, dialog } = props;
  const [run, setRun] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const [pollCount, setPollCount] = useState(0);

  const act = (name: RunStep, key = run.key) => show(step(name, key));

  async function show(next: Promise<BatchView>) {
    setBusy(true);
    try {
      setRun(await next);
      setProblem('');
    } catch (error) {
      setProblem(failureText(t, error));
    }
    setBusy(false);
  }

  async function remove() {
    setBusy(true);
    try {
      await props.remove(run.key);
      dialog.close();
    } catch (error) {
      setProblem(failureText(t, error));
      setBusy(false);
    }
  }

  async function download() {
    setBusy(true);
    await props.download(run.key).then(
      () => setProblem(''),
      (error) => setProblem(failureText(t, error)),
    );
    setBusy(false);
  }

  useEffect(() => {
    if (run.state !== 'running') return undefined;
    const timer = setTimeout(async () => {
      // Ignores failures: the next poll may succeed.
      await step('see', run.key).then(setRun, () => {});
      setPollCount(pollCount + 1);
    }, interval);
    return () => clearTimeout(timer);
  }, [run, pollCount]);

  const button = (label: string, onClick: () => void, more = {}) =>
    h(Button, { onClick, disabled: isBusy, ...more }, label);
  const isPreview = run.state === 'preview';
  const isOver = !isPreview && run.state !== 'running';
  const count = toSendCount(run);
  const canStart = isPreview && run.counts.waiting > 0;
  return h(
    'div',
    { 'aria-live': 'polite' },
    h(dialog.Header, { title: t(action.name) }),
    h(RunPart, {
      ...{ action, t, run, table, problem, isBusy },
      see: (key: string) => act('see', key),
      list: (choice: object) => props.list(run.key, choice),
      choose: (choice: SkipChoice) => show(step('choose', run.key, choice)),
    }),
    h(
      dialog.Footer,
      null,
      h(
        Space,
        { wrap: true },
        isPreview &&
          button(t(canStart ? 'Cancel' : 'Close'), () => dialog.close(), { autoFocus: true }),
        canStart &&
          button(
            count > 0 ? startLabel(t, action, count) : t("Check the account's log"),
            () => act('start'),
            {
              type: 'primary',
            },
          ),
        run.state === 'running' && button(t('Stop'), () => act('stop')),
        isOver &&
          h(
            Popconfirm,
            {
              title: t(
                'Delete this batch? The plugin then no longer knows who got it, so the next batch may send to the same people again. The rows and the messages sent are not deleted.',
              ),
              okText: t('Delete'),
              cancelText: t('Cancel'),
              onConfirm: remove,
            },
            h(Button, { disabled: isBusy }, t('Delete this batch')),
          ),
        isOver && button(t('Download as CSV'), download),
        isOver && button(t('Close'), () => dialog.close()),
        canContinue(run) && button(t('Continue'), () => show(props.preview()), { type: 'primary' }),
      ),
    ),
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
