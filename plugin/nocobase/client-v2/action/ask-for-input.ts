import { DialogFormLayout } from '@nocobase/client-v2';
import type { FlowContext } from '@nocobase/flow-engine';
import { Alert, Form, Input } from 'antd';
import { useState } from 'react';
import type { Action } from '../../../../src/index.ts';
import { h, problemOf, type Translate } from '../host.ts';
import type { Done, Values } from './action-step.ts';

interface Question {
  action: Action;
  context: FlowContext;
  t: Translate;
  /** What is filled in already. */
  input: Values;
  send(input: Values): Promise<Done>;
}

interface FormProps extends Question {
  answer(done: Done): void;
}

/** The form of an action. What is wrong is said at its field, and the form stays open. */
function ActionForm({ action, t, input, send, answer }: FormProps) {
  const [form] = Form.useForm();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState('');

  async function submit() {
    const values: Values = await form.validateFields();
    setSending(true);
    setProblem('');
    try {
      answer(await send(values));
    } catch (error) {
      const { field, message } = problemOf(error);
      if (field && action.fields.some(({ key }) => key === field))
        form.setFields([{ name: field, errors: [message] }]);
      else setProblem(message);
      throw error;
    } finally {
      setSending(false);
    }
  }

  const items = action.fields.map(
    ({ key, label, help, placeholder, required, multiline, purpose }) =>
      h(
        Form.Item,
        {
          key,
          name: key,
          label: t(label),
          extra: help && t(help),
          rules: [
            { required: required === true && purpose !== 'sender', message: t('Fill this in.') },
          ],
        },
        h(multiline ? Input.TextArea : Input, { placeholder, autoComplete: 'off' }),
      ),
  );
  return h(
    DialogFormLayout,
    {
      title: t(action.name),
      submitting: isSending,
      submitText: t(action.name),
      cancelText: t('Cancel'),
      // The dialog stays open while this rejects.
      onSubmit: submit,
    },
    problem && h(Alert, { type: 'error', message: problem, style: { marginBottom: 16 } }),
    h(Form, { form, layout: 'vertical', initialValues: input }, items),
  );
}

/**
 * Asks whoever clicked for what an action still needs, and does it.
 *
 * @returns undefined when the form was closed
 */
export function askForInput(question: Question): Promise<Done | undefined> {
  return new Promise((resolve) => {
    question.context.viewer.dialog({
      closable: true,
      content: () => h(ActionForm, { ...question, answer: resolve }),
      onClose: () => resolve(undefined),
    });
  });
}
