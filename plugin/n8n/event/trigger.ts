import type { Item, Trigger } from 'n8n-workflow';
import { deliveryLog, type EventDefinition, type TelephonyEvent } from '../../../src/builder.ts';
import { nameOf } from '../node/name-of.ts';
import { credentialName } from '../settings/credentials.ts';
import { openStore } from '../store.ts';
import { titleCase } from '../title-case.ts';
import type { ReplyTo } from './reply.ts';

/** What the descriptions of all triggers share. */
export const triggerDescription = (events: readonly EventDefinition[]) => ({
  icon: 'file:../../icon.svg',
  group: ['trigger'],
  version: 1,
  subtitle: nameOf('event', events),
  inputs: [],
  outputs: ['main'],
  credentials: [{ name: credentialName, required: true }],
  properties: [
    {
      ...{ displayName: 'Event', name: 'event', type: 'options', noDataExpression: true },
      options: events.map(({ id, name, description }) => ({
        ...{ name: titleCase(name), value: id, description: description.replace(/\.$/, '') },
      })),
      default: events[0]?.id,
      required: true,
    },
  ],
});

/** Opens the log of what a trigger has delivered. n8n saves it with the workflow. */
export async function openLog(trigger: Trigger) {
  const id = `${trigger.getWorkflow().id} ${trigger.getNode().id}`;
  const log = deliveryLog(await openStore(id, trigger.getWorkflowStaticData('node')));
  await log.expire();
  return log;
}

/** An event as an item. @param replyTo where it waits for a reply */
export const eventItem = ({ id, record }: TelephonyEvent, replyTo?: ReplyTo): Item => ({
  json: { event: id, ...record, ...(replyTo && { replyTo }) },
});
