import { Form } from 'antd';
import { type Field, isSmsText } from '../../../../src/builder.ts';
import { SmsText } from '../action/sms-text.ts';
import { type Host, h, type ReactNode, translator } from '../host.ts';
import { workflowParts } from './workflow-parts.ts';

/** The inputs of a node of a workflow. */
export async function inputItems(host: Host, fields: readonly Field[]): Promise<ReactNode[]> {
  const t = translator(host);
  const { WorkflowVariableInput, WorkflowVariableTextArea } = await workflowParts(host);
  const control = (field: Field) => {
    const { placeholder, multiline } = field;
    if (isSmsText(field)) return h(SmsText, { control: WorkflowVariableTextArea, t, placeholder });
    return h(multiline ? WorkflowVariableTextArea : WorkflowVariableInput, { placeholder });
  };
  return fields.map((field) => {
    const { key, label, help, required, purpose } = field;
    const isNeeded = required === true && purpose !== 'sender';
    return h(
      Form.Item,
      {
        ...{ key, name: ['config', 'input', key], label: t(label), extra: help && t(help) },
        rules: [{ required: isNeeded, message: t('This field is required.') }],
      },
      control(field),
    );
  });
}
