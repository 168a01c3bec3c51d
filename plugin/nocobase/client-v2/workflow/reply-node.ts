import { Icon } from '@nocobase/client-v2';
import { definitions, type EventReply } from '../../../../src/builder.ts';
import { translated } from '../../translated.ts';
import { instructionType, triggerType } from '../../workflow-types.ts';
import { type Host, h, translator } from '../host.ts';
import { inputItems, nodeInput } from './input-items.ts';

interface Available {
  workflow: { type: string; sync?: boolean };
}

/**
 * The workflow node that replies to the event that started the workflow. Available only in synchronous workflows, whose
 * reply the service waits for.
 */
export function replyNode(host: Host, reply: EventReply) {
  const t = translator(host);
  const { id, name, description, fields } = reply;
  const repliable = definitions.events
    .filter(({ replies = [] }) => replies.some((one) => one.id === id))
    .map(triggerType);
  const FieldsetLoader = async () => {
    const items = await inputItems(host, fields);
    const limit = h('p', null, t('The reply must be ready within ten seconds.'));
    return { default: () => h('div', null, limit, items(nodeInput)) };
  };
  return {
    type: instructionType(reply),
    title: translated(name),
    description: translated(description),
    icon: h(Icon, { type: 'RollbackOutlined' }),
    group: definitions.manifest.id,
    fieldset: undefined,
    FieldsetLoader,
    createDefaultConfig: () => ({ input: {} }),
    isAvailable: ({ workflow }: Available) =>
      repliable.includes(workflow.type) && workflow.sync === true,
  };
}
