import { Form } from 'antd';
import { definitions, replyField } from '../../../../src/builder.ts';
import { translated } from '../../translated.ts';
import { replyType, triggerType } from '../../workflow-types.ts';
import { SmsText } from '../action/sms-text.ts';
import { type Host, h, translator } from '../host.ts';
import { workflowParts } from './workflow-parts.ts';

const answered = definitions.events.filter(({ reply }) => reply).map(triggerType);

interface Available {
  workflow: { type: string; sync?: boolean };
}

/** The node that replies to the event that its workflow starts from, where somebody waits for that. */
export function replyNode(host: Host) {
  const t = translator(host);
  const { key, label, help = '' } = replyField;
  const FieldsetLoader = async () => {
    const { WorkflowVariableTextArea } = await workflowParts(host);
    const name = ['config', 'input', key];
    const item = h(
      Form.Item,
      {
        name,
        label: t(label),
        extra: t(help),
        rules: [{ required: true, message: t('This field is required.') }],
      },
      h(SmsText, { control: WorkflowVariableTextArea, t }),
    );
    return { default: () => item };
  };
  return {
    type: replyType,
    title: translated('Reply'),
    description: translated(
      'Replies to the sender of the event that started the workflow. The reply must be ready within ten seconds.',
    ),
    group: 'extended',
    fieldset: undefined,
    FieldsetLoader,
    createDefaultConfig: () => ({ input: {} }),
    isAvailable: ({ workflow }: Available) =>
      answered.includes(workflow.type) && workflow.sync === true,
  };
}
