import { type Item, NodeOperationError, type Poll } from 'n8n-workflow';
import { definitions, type EventId, pollEvents, polledEvents } from '../../../src/builder.ts';
import { accountOf } from '../account/account.ts';
import { eventItem, openLog, triggerDescription } from './trigger.ts';

const { manifest } = definitions;

/** The key of the cursor in the data that n8n saves with the workflow. */
const cursorKey = 'cursor';

/** Resolves to the newest record of the list that shows an event, to build a workflow with. */
async function example(poll: Poll, id: string): Promise<Item[]> {
  const { source = '', only = {} } = polledEvents.find((one) => one.id === id)?.polled ?? {};
  const telephony = await accountOf(poll);
  for await (const { records } of telephony.pages(source, {}, { limit: 50 })) {
    const found = records.find((record) =>
      Object.entries(only).every(([key, values]) =>
        (values as unknown[]).includes(Reflect.get(record, key)),
      ),
    );
    return found ? [{ json: { event: id, ...found } }] : [];
  }
  return [];
}

async function newEvents(poll: Poll, id: string): Promise<Item[]> {
  const data = poll.getWorkflowStaticData('node');
  const items: Item[] = [];
  const pollOnce = pollEvents(await accountOf(poll), {
    events: [id as EventId],
    deliveryLog: await openLog(poll),
    cursor: {
      read: () => data[cursorKey] as string | undefined,
      write: (cursor) => {
        data[cursorKey] = cursor;
      },
    },
    onEvent: (event) => void items.push(eventItem(event)),
  });
  await pollOnce();
  return items;
}

/** The trigger for an n8n that the service can't reach. */
export class TelephonyPollTrigger {
  description = {
    ...triggerDescription(polledEvents),
    displayName: 'Telephony Poll Trigger',
    name: `${manifest.id}PollTrigger`,
    description: 'Starts the workflow when polling finds a new call, message or recording',
    defaults: { name: 'Telephony Poll Trigger' },
    polling: true,
  };

  async poll(this: Poll): Promise<Item[][] | null> {
    const id = String(this.getNodeParameter('event'));
    try {
      const items = await (this.getMode() === 'manual' ? example(this, id) : newEvents(this, id));
      return items.length > 0 ? [items] : null;
    } catch (error) {
      const { message } = error as Error;
      throw Object.assign(new NodeOperationError(this.getNode(), message), { message });
    }
  }
}
