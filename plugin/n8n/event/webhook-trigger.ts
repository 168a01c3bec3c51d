import type { Item, Property, Webhook } from 'n8n-workflow';
import {
  definitions,
  type EventDefinition,
  eventLog,
  nodeHandler,
  oncePer,
  receiveEvents,
  webhookEvents,
} from '../../../src/builder.ts';
import { accountOf, settingsOf } from '../account/account.ts';
import { eventItem, openLog, triggerDescription } from './trigger.ts';

const { manifest } = definitions;
const { properties, ...shared } = triggerDescription(webhookEvents);

const inVersion = (version: number) => ({ '@version': [version] });

const idsOf = (events: readonly EventDefinition[]) => events.map(({ id }) => id);

const repliable = webhookEvents.filter(({ replies }) => replies);
const needing = idsOf(repliable.filter(({ needsReply }) => needsReply));
const others = idsOf(repliable).filter((id) => !needing.includes(id));

const replySwitch = {
  ...{ displayName: 'Reply', name: 'reply', type: 'boolean' },
  description:
    'Whether the workflow replies within ten seconds, with a Telephony node whose resource is Reply. The service gets an empty response if the workflow ends without one.',
};

/**
 * The inputs of the events. Nodes of the first version have one event, and don't reply. That of the last version is the first, because n8n
 * fills it in for someone who picks an event in its list of nodes.
 */
const inputs: Property[] = [
  ...properties.map((one) => ({
    ...{ ...one, displayName: 'Events', type: 'multiOptions', default: [] },
    displayOptions: { show: inVersion(2) },
  })),
  ...properties.map((one) => ({ ...one, displayOptions: { show: inVersion(1) } })),
  ...webhookEvents.map(({ id, setUp }) => ({
    ...{ displayName: setUp, name: `setUp:${id}`, type: 'notice', default: '' },
    displayOptions: { show: { event: [id] } },
  })),
  {
    displayName:
      "If an event doesn't arrive: n8n's log says why a request was refused, once for each reason.",
    ...{ name: 'refused', type: 'notice', default: '' },
  },
  {
    ...{ ...replySwitch, default: true },
    displayOptions: { show: { ...inVersion(2), event: needing } },
  },
  {
    ...{ ...replySwitch, default: false },
    displayOptions: { show: { ...inVersion(2), event: others }, hide: { event: needing } },
  },
];

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
    version: [1, 2],
    defaults: { name: 'Telephony Trigger' },
    webhooks: [
      {
        ...{ name: 'default', httpMethod: 'POST', path: 'events' },
        responseMode: '={{ $parameter.reply ? "responseNode" : "onReceived" }}',
      },
    ],
    properties: inputs,
  };

  async webhook(this: Webhook): Promise<{ workflowData?: Item[][]; noWebhookResponse?: true }> {
    const { settings, authToken } = await settingsOf(this);
    const wanted = [this.getNodeParameter('event')].flat();
    const waitsFor = this.getNodeParameter('reply', false) ? idsOf(repliable) : [];
    const items: Item[] = [];
    let waits = false;
    // The service signs the URL it posts to. Earlier versions of n8n tell only the one for production.
    const url = this.getWebhookResourceUrl?.('default') ?? this.getNodeWebhookUrl('default') ?? '';
    const receive = receiveEvents(settings, {
      onOutcome: logOf(`${this.getWorkflow().id} ${this.getNode().id}`, this.logger),
      url,
      authToken,
      deliveryLog: await openLog(this),
      telephony: () => accountOf(this),
      onEvent: (event, { deadline }) => {
        if (!wanted.includes(event.id)) return;
        const isWaiting = waitsFor.includes(event.id);
        waits ||= isWaiting;
        const until = new Date(Date.now() + deadline - performance.now());
        items.push(eventItem(event, isWaiting ? { url, until } : undefined));
      },
    });
    const response = this.getResponseObject();
    // The workflow responds to an event that waits.
    await nodeHandler(receive)(this.getRequestObject(), {
      writeHead: (...head) => waits || response.writeHead(...head),
      end: (text) => waits || response.end(text),
    });
    return {
      ...(items.length > 0 && { workflowData: [items] }),
      ...(!waits && { noWebhookResponse: true }),
    };
  }
}
