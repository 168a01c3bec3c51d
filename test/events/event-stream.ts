import { seededRandom } from '../../demo/sandbox/random.ts';
import { size } from '../support/size.ts';
import { parametersOf } from './fixtures.ts';

/** A webhook request of the service. */
export interface StreamedEvent {
  /** Unique among all events. */
  key: string;
  /** The event's id and the record's SID. */
  subject: string;
  status: string;
  finalStatus: string;
  parameters: Record<string, string>;
}

/** How many requests a builder gets, repeats included, and how many forged ones. */
export const requests = size(250, 600);

export const requestsPerRestart = Math.min(requests / 2, 1_000);

export const timeLimitMs = 120_000 + 100 * requests;

const statusSequences = {
  message: [
    ['queued', 'sent', 'delivered'],
    ['sent', 'undelivered'],
    ['accepted', 'queued', 'sending', 'sent', 'delivered', 'read'],
    ['queued', 'failed'],
  ],
  call: [
    ['initiated', 'ringing', 'in-progress', 'completed'],
    ['ringing', 'no-answer'],
    ['queued', 'ringing', 'busy'],
    ['canceled'],
  ],
};

function statusEvents(
  id: string,
  sidName: string,
  statusName: string,
  statuses: string[],
  sid: string,
) {
  return statuses.map((status) => ({
    key: `${id}/${sid}/${status}`,
    ...{ subject: `${id} ${sid}`, status, finalStatus: statuses.at(-1) ?? '' },
    parameters: { ...parametersOf(id), [sidName]: sid, [statusName]: status },
  }));
}

function singleEvent(id: string, sidName: string, status: string, sid: string): StreamedEvent[] {
  const parameters = { ...parametersOf(id), [sidName]: sid };
  return [
    { key: `${id}/${sid}`, subject: `${id} ${sid}`, status, finalStatus: status, parameters },
  ];
}

/**
 * Events at the service, and the requests that report them: some of them twice, and each up to a hundred places out of order.
 *
 * @param requests their number, repeats included
 */
export function eventStream(requests: number, { seed = 4_711, repeated = 0.2 } = {}) {
  const random = seededRandom(seed);
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Value>(values: readonly Value[]) => values[randomBelow(values.length)] as Value;

  function happenings(count: number): StreamedEvent[] {
    const events: StreamedEvent[] = [];
    for (let index = 0; events.length < count - 6; index += 1)
      events.push(
        ...oneOf([
          () =>
            statusEvents(
              'message-status',
              'MessageSid',
              'MessageStatus',
              oneOf(statusSequences.message),
              `SM${index}`,
            ),
          () =>
            statusEvents(
              'call-status',
              'CallSid',
              'CallStatus',
              oneOf(statusSequences.call),
              `CA${index}`,
            ),
          () => singleEvent('sms-received', 'MessageSid', 'received', `SM${index}`),
          () => singleEvent('recording-ready', 'RecordingSid', 'completed', `RE${index}`),
        ])(),
      );
    while (events.length < count)
      events.push(
        ...singleEvent('recording-ready', 'RecordingSid', 'completed', `RE0${events.length}`),
      );
    return events;
  }

  function shuffled(events: StreamedEvent[]): StreamedEvent[] {
    const positioned = events.map((one, position) => ({
      one,
      position: position + random() * 100,
    }));
    const repeats = events
      .slice(0, Math.round(requests * repeated))
      .map(() => oneOf(positioned))
      .map(({ one, position }) => ({ one, position: position + random() * 1_000 }));
    return [...positioned, ...repeats]
      .sort((a, b) => a.position - b.position)
      .map(({ one }) => one);
  }

  const events = happenings(requests - Math.round(requests * repeated));
  return { events, waiting: shuffled(events), randomBelow };
}
