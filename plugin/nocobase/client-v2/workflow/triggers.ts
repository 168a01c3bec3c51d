import { definitions, type EventDefinition } from '../../../../src/builder.ts';
import { translated } from '../../translated.ts';
import { triggerType } from '../../workflow-types.ts';
import { type Host, h, translator } from '../host.ts';
import { accountItem } from './account-item.ts';
import { recordVariable, type VariableOptions } from './record-variables.ts';
import { sampleItems } from './sample-items.ts';
import { webhookUrl } from './webhook-url.ts';

interface Workflow {
  registerTrigger(type: string, trigger: unknown): void;
}

/** The trigger of an event: its form, and the variables it gives the workflow's nodes. */
function eventTrigger(host: Host, event: EventDefinition) {
  const { name, description, setUp, raisedBy, result, media, replies } = event;
  const t = translator(host);
  const FieldsetLoader = async () => {
    const [account, address] = await Promise.all([
      accountItem(host),
      raisedBy ? null : webhookUrl(host),
    ]);
    return { default: () => h('div', null, h('p', null, t(setUp)), address, account) };
  };
  const TriggerFieldsetLoader = async () => {
    const items = sampleItems(t, event);
    const warning = h(
      'p',
      null,
      t(
        'This runs the workflow for real: its nodes send messages and make calls, for example to the numbers below.',
      ),
      replies && ` ${t('Reply nodes are the exception: they send nothing.')}`,
    );
    return { default: () => h('div', null, warning, items) };
  };
  return {
    title: translated(name),
    // Shown before the user creates the workflow: the execute mode can't be changed afterwards.
    description: replies
      ? `${t(description)} ${t("Reply nodes need the execute mode “Synchronously”, which you can't change later.")}`
      : translated(description),
    fieldset: undefined,
    FieldsetLoader,
    TriggerFieldsetLoader,
    createDefaultConfig: () => ({}),
    validate: () => true,
    useVariables: (_config: unknown, options?: VariableOptions) => {
      const record = { key: 'data', title: t(name) };
      return [recordVariable(t, record, result.of, options, media !== undefined)];
    },
  };
}

/** Registers a trigger for each event, if the workflow plugin is enabled. */
export function registerTriggers(host: Host): void {
  const workflow = host.pm.get('workflow') as Workflow | undefined;
  for (const event of definitions.events) {
    const trigger = eventTrigger(host, event);
    // As with nodes, the legacy shell accepts only constructors.
    workflow?.registerTrigger(triggerType(event), function construct() {
      return trigger;
    });
  }
}
