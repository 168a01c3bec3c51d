import type { StreamedEvent } from './event-stream.ts';
import { type Answered, postEvent } from './post.ts';
import { signedForm } from './signed.ts';

const atATime = 25;

interface Delivery {
  waiting: StreamedEvent[];
  randomBelow(limit: number): number;
  /** The webhook URL on this machine, and the public one, which is signed. */
  url: string;
  address: string;
  requestsPerRestart: number;
  /** Restarts the builder while requests are in progress. */
  restart(): Promise<void>;
}

/**
 * Sends requests to a builder, and retries each until the builder accepts it, like a service with retries turned on.
 *
 * @returns how many responses had which status (undefined for none), and the keys whose first attempt had no response
 */
export async function postUntilReceived({
  waiting,
  randomBelow,
  url,
  address,
  requestsPerRestart,
  restart,
}: Delivery) {
  const answers = new Map<number | undefined, number>();
  const received = new Set<string>();
  const unanswered = new Set<string>();
  let sent = 0;
  let restarts = 0;

  async function send({ key, parameters }: StreamedEvent): Promise<number | undefined> {
    const { status }: Partial<Answered> = await postEvent(
      url,
      signedForm(parameters, { url: address }),
    ).catch(() => ({}));
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 200) received.add(key);
    if (status === undefined && !received.has(key)) unanswered.add(key);
    return status;
  }

  /** Restarts the builder, and sends a batch again until the builder doesn't answer, so that a restart always interrupts some requests. */
  async function restartDuring(batch: StreamedEvent[]): Promise<void> {
    let isBack = false;
    const back = restart().finally(() => {
      isBack = true;
    });
    let statuses: (number | undefined)[] = [];
    while (!isBack && !statuses.includes(undefined)) statuses = await Promise.all(batch.map(send));
    await back;
  }

  while (waiting.length > 0) {
    const batch = waiting.splice(0, atATime);
    const answered = batch.map(send);
    sent += batch.length;
    if (Math.floor(sent / requestsPerRestart) > restarts) {
      restarts += 1;
      await Promise.race(answered);
      await restartDuring(batch);
    }
    await Promise.all(answered);
    for (const one of batch) if (!received.has(one.key)) waiting.splice(randomBelow(200), 0, one);
  }
  return { answers, restarts, unanswered };
}

/** An event that a builder delivered to its app. */
export type Delivered = [id: string, sid: string, status: string];

/**
 * Expects that each event was delivered once, except those that a later status replaced, and that each record ends with its
 * final status.
 *
 * @param unanswered keys that may be delivered twice: the process ended before it could record the delivery
 */
export function expectOnce(
  events: StreamedEvent[],
  delivered: Delivered[],
  unanswered?: Set<string>,
) {
  const statusesOf = (subject: string) =>
    delivered.filter(([id, sid]) => `${id} ${sid}` === subject).map(([, , status]) => status);
  const ended = events.map(({ subject, finalStatus }) => ({
    ...{ subject, finalStatus, delivered: statusesOf(subject) },
  }));
  expect(ended.filter((one) => one.delivered.at(-1) !== one.finalStatus)).toEqual([]);
  const known = new Map(events.map((one) => [`${one.subject} ${one.status}`, one.key]));
  const keys = delivered.map((one) => known.get(one.join(' ')) ?? one.join(' '));
  const isKnown = new Set(known.values());
  const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
  expect(repeated.filter((key) => !unanswered?.has(key))).toEqual([]);
  expect(keys.filter((key) => !isKnown.has(key))).toEqual([]);
  return repeated.length;
}
