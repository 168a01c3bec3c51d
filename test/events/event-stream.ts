import { seededRandom } from '../../demo/sandbox/random.ts';
import { size } from '../support/size.ts';
import { parametersOf } from './fixtures.ts';

/** A request of the service, and what it is about. */
export interface Happened {
  /** By which it is told from all others. */
  key: string;
  about: string;
  status: string;
  /** How what it is about ends. */
  last: string;
  parameters: Record<string, string>;
}

/** How many requests a builder gets, with those that are repeated, and how many forged ones. */
export const requests = size(250, 3_000);

/** How many come between two restarts of the builder. */
export const between = Math.min(requests / 2, 1_000);

/** How long all of it may take, in milliseconds. */
export const timeLimit = 120_000 + 100 * requests;

const lives = {
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

function life(id: string, sidName: string, statusName: string, statuses: string[], sid: string) {
  return statuses.map((status) => ({
    key: `${id}/${sid}/${status}`,
    ...{ about: `${id} ${sid}`, status, last: statuses.at(-1) ?? '' },
    parameters: { ...parametersOf(id), [sidName]: sid, [statusName]: status },
  }));
}

function single(id: string, sidName: string, status: string, sid: string): Happened[] {
  const parameters = { ...parametersOf(id), [sidName]: sid };
  return [{ key: `${id}/${sid}`, about: `${id} ${sid}`, status, last: status, parameters }];
}

/**
 * What happens at the service, and how it is reported: a part of it twice, and all of it up to a hundred places from where it
 * belongs.
 *
 * @param requests how many there are, with those that are repeated
 */
export function eventStream(requests: number, { seed = 4_711, repeated = 0.2 } = {}) {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Value>(values: readonly Value[]) => values[below(values.length)] as Value;

  function happenings(count: number): Happened[] {
    const happened: Happened[] = [];
    for (let index = 0; happened.length < count - 6; index += 1)
      happened.push(
        ...oneOf([
          () =>
            life(
              'message-status',
              'MessageSid',
              'MessageStatus',
              oneOf(lives.message),
              `SM${index}`,
            ),
          () => life('call-status', 'CallSid', 'CallStatus', oneOf(lives.call), `CA${index}`),
          () => single('sms-received', 'MessageSid', 'received', `SM${index}`),
          () => single('recording-ready', 'RecordingSid', 'completed', `RE${index}`),
        ])(),
      );
    while (happened.length < count)
      happened.push(
        ...single('recording-ready', 'RecordingSid', 'completed', `RE0${happened.length}`),
      );
    return happened;
  }

  function onTheirWay(happened: Happened[]): Happened[] {
    const placed = happened.map((one, place) => ({ one, place: place + random() * 100 }));
    const again = happened
      .slice(0, Math.round(requests * repeated))
      .map(() => oneOf(placed))
      .map(({ one, place }) => ({ one, place: place + random() * 1_000 }));
    return [...placed, ...again].sort((a, b) => a.place - b.place).map(({ one }) => one);
  }

  const happened = happenings(requests - Math.round(requests * repeated));
  return { happened, waiting: onTheirWay(happened), below };
}
