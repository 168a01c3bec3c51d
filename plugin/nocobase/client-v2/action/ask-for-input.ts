import type { FlowContext } from '@nocobase/flow-engine';
import { Alert, Button, Form, Space } from 'antd';
import { useState } from 'react';
import type { Action, Field, OfferedChoices } from '../../../../src/builder.ts';
import { h, problemOf, type Translate } from '../host.ts';
import { fieldItem } from './field-item.ts';
import type { FormField } from './usable.ts';

/** The values of a form, by key. */
export type FormValues = Record<string, unknown>;

interface Question<Result> {
  action: Action;
  /** The fields of the form. */
  fields: FormField[];
  context: FlowContext;
  t: Translate;
  /** Loads the choices of a field. */
  choices(field: Field): Promise<OfferedChoices>;
  /** The initial values. */
  input: FormValues;
  send(input: FormValues): Promise<Result>;
  /** The label of the button that sends it; if not given, the action's name. */
  submit?: string;
  /** Asks whether to do what can't be undone. */
  isWanted?(input: FormValues): PromiseLike<boolean>;
}

/** A NocoBase dialog. */
interface Dialog {
  Header: unknown;
  Footer: unknown;
  close(): void;
}

interface FormProps<Result> extends Question<Result> {
  dialog: Dialog;
  resolve(done: Result): void;
}

/** The form of an action. Shows errors at their field and stays open. */
function ActionForm<Result>(props: FormProps<Result>) {
  const {
    action,
    fields,
    t,
    input,
    choices,
    send,
    isWanted,
    resolve,
    dialog,
    submit: label = t(action.name),
  } = props;
  const [form] = Form.useForm();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');

  function explain(error: unknown) {
    const { field, message } = problemOf(error);
    if (field && fields.some(({ key }) => key === field))
      form.setFields([{ name: field, errors: [message] }]);
    else setProblem(message);
  }

  async function submit() {
    const values = await form.validateFields().catch(() => undefined);
    if (!values || (isWanted && !(await isWanted(values)))) return;
    setSending(true);
    setProblem('');
    try {
      resolve(await send(values));
      dialog.close();
    } catch (error) {
      explain(error);
      setSending(false);
    }
  }

  const buttons = h(
    Space,
    null,
    h(Button, { onClick: () => dialog.close() }, t('Cancel')),
    h(Button, { type: 'primary', loading: isSending, onClick: submit }, label),
  );
  return h(
    'div',
    null,
    h(dialog.Header, { title: t(action.name) }),
    problem && h(Alert, { type: 'error', message: problem, style: { marginBottom: 16 } }),
    h(
      Form,
      // The page below can have a form with fields of the same names.
      { form, name: action.id, layout: 'vertical', initialValues: input },
      fields.map((field) => fieldItem(t, field, () => choices(field))),
    ),
    h(dialog.Footer, null, buttons),
  );
}

/**
 * Asks the user for an action's missing input and runs it.
 *
 * @returns undefined if the user closed the form
 */
export function askForInput<Result>(question: Question<Result>): Promise<Result | undefined> {
  return new Promise((resolve) => {
    question.context.viewer.dialog({
      closable: true,
      // Otherwise a click outside the form would discard the input.
      maskClosable: false,
      content: (dialog: Dialog) => h(ActionForm, { ...question, dialog, resolve }),
      onClose: () => resolve(undefined),
    });
  });
}
