import { Form } from 'antd';
import {
  type Field,
  isSmsText,
  type OfferedChoices,
  type Operation,
} from '../../../../src/builder.ts';
import { SmsText } from '../action/sms-text.ts';
import { ChoicePicker } from '../choices/choice-picker.ts';
import { choicesOf } from '../choices/use-choices.ts';
import { type Host, h, type ReactNode, type Translate, translator } from '../host.ts';
import { workflowParts } from './workflow-parts.ts';

interface NodeNumbersProps {
  t: Translate;
  control: unknown;
  choices(account: unknown): Promise<OfferedChoices>;
}

/** A path in the values of a form. */
export type Path = (string | number)[];

/** The path of the inputs in the form of a workflow node. */
export const nodeInput: Path = ['config', 'input'];

/** Offers the numbers of the account that is chosen in a node's form. */
function NodeNumbers({ choices, ...props }: NodeNumbersProps) {
  const form = Form.useFormInstance();
  const load = () => choices(form.getFieldValue(['config', 'account']) ?? undefined);
  return h(ChoicePicker, { ...props, load });
}

/**
 * The inputs of a workflow node, by their path in its form.
 *
 * @param operation the node's operation; undefined for a reply
 */
export async function inputItems(
  host: Host,
  fields: readonly Field[],
  operation?: Operation,
): Promise<(path: Path) => ReactNode[]> {
  const t = translator(host);
  const { WorkflowVariableInput, WorkflowVariableTextArea } = await workflowParts(host);
  const control = (field: Field) => {
    const { options, multiline } = field;
    const placeholder = field.placeholder ?? options?.slice(0, 4).join(', ');
    // Users can also enter a variable.
    if (options) {
      const choices = options.map((value) => ({ value, label: value }));
      const load = () => Promise.resolve({ choices });
      return h(ChoicePicker, { t, placeholder, control: WorkflowVariableInput, load });
    }
    if (operation && field.choices)
      return h(NodeNumbers, {
        ...{ t, placeholder, control: WorkflowVariableInput },
        choices: choicesOf(host, operation.id, field),
      });
    if (isSmsText(field)) return h(SmsText, { control: WorkflowVariableTextArea, t, placeholder });
    return h(multiline ? WorkflowVariableTextArea : WorkflowVariableInput, { placeholder });
  };
  return (path) =>
    fields.map((field) => {
      const { key, label, help, required, purpose } = field;
      const isNeeded = required === true && purpose !== 'sender';
      return h(
        Form.Item,
        {
          ...{ key, name: [...path, key], label: t(label), extra: help && t(help) },
          rules: [{ required: isNeeded, message: t('This field is required.') }],
        },
        control(field),
      );
    });
}
