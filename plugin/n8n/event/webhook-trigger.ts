import type { Item, Webhook } from 'n8n-workflow';
import {
  definitions,
  eventLog,
  nodeHandler,
  oncePer,
  receiveEvents,
  serviceEvents,
} from '../../../src/builder.ts';
import { settingsOf } from '../account/account.ts';
import { eventItem, openLog, triggerDescription } from './trigger.ts';

const { manifest } = definitions;
const { properties, ...shared } = triggerDescription(serviceEvents);

const notices = serviceEvents.map(({ id, setUp }) => ({
  ...{ displayName: setUp, name: `setUp:${id}`, type: 'notice', default: '' },
  displayOptions: { show: { event: [id] } },
}));

/** The log of a trigger, which has each reason for a refusal once. */
const logOf = oncePer((_trigger: string, logger: Webhook['logger']) =>
  eventLog((sentence) => logger.warn(sentence)),
);

/** The trigger for what the service reports to the webhook URL. */
export class TelephonyTrigger {
  description = {
    ...shared,
    displayName: 'Telephony Trigger',
    name: `${manifest.id}Trigger`,
    description: 'Starts the workflow when a call, a message or a recording is reported',
    defaults: { name: 'Telephony Trigger' },
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'events' }],
    properties: [...properties, ...notices],
  };

  async webhook(this: Webhook): Promise<{ workflowData?: Item[][]; noWebhookResponse: true }> {
    const { settings, authToken } = await settingsOf(this);
    const wanted = this.getNodeParameter('event');
    const items: Item[] = [];
    const receive = receiveEvents(settings, {
      onOutcome: logOf(`${this.getWorkflow().id} ${this.getNode().id}`, this.logger),
      // The service signs the URL it posts to. Earlier versions of n8n tell only the one for production.
      url: this.getWebhookResourceUrl?.('default') ?? this.getNodeWebhookUrl('default') ?? '',
      authToken,
      deliveryLog: await openLog(this),
      onEvent: (event) => {
        if (event.id === wanted) items.push(eventItem(event));
      },
    });
    await nodeHandler(receive)(this.getRequestObject(), this.getResponseObject());
    return { ...(items.length > 0 && { workflowData: [items] }), noWebhookResponse: true };
  }
}
