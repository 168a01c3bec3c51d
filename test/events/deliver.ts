import type { Happened } from './event-stream.ts';
import { type Answered, postEvent } from './post.ts';
import { signedForm } from './signed.ts';

const atATime = 25;

interface Delivery {
  waiting: Happened[];
  below(limit: number): number;
  /** Where the builder receives events, and as the service knows it. */
  url: string;
  address: string;
  /** How many requests come between two restarts. */
  between: number;
  /** Restarts the builder, while requests are under way. */
  restart(): Promise<void>;
}

/**
 * Brings requests to a builder as the service does that was told to try again: until each is received.
 *
 * @returns how many answers of which status there were, undefined for none, and what had none at its first try
 */
export async function deliver({ waiting, below, url, address, between, restart }: Delivery) {
  const answers = new Map<number | undefined, number>();
  const received = new Set<string>();
  const unanswered = new Set<string>();
  let sent = 0;
  let restarts = 0;

  async function send({ key, parameters }: Happened): Promise<number | undefined> {
    const { status }: Partial<Answered> = await postEvent(
      url,
      signedForm(parameters, { url: address }),
    ).catch(() => ({}));
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status === 200) received.add(key);
    if (status === undefined && !received.has(key)) unanswered.add(key);
    return status;
  }

  /** Restarts the builder, and repeats a batch until the builder doesn't answer, so that some requests always meet its end. */
  async function restartMeanwhile(batch: Happened[]): Promise<void> {
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
    if (Math.floor(sent / between) > restarts) {
      restarts += 1;
      await Promise.race(answered);
      await restartMeanwhile(batch);
    }
    await Promise.all(answered);
    for (const one of batch) if (!received.has(one.key)) waiting.splice(below(200), 0, one);
  }
  return { answers, restarts, unanswered };
}

/** What a builder's app heard of: its event, its record, and the record's status. */
export type Heard = [id: string, sid: string, status: string];

/**
 * Each was reported once, the last status of each record is right, and nothing is missing but what a later one has replaced.
 *
 * @param unanswered what may have been reported again: the process that it was reported in ended before it could say so
 */
export function expectOnce(happened: Happened[], heard: Heard[], unanswered?: Set<string>) {
  const last = new Map(heard.map(([id, sid, status]) => [`${id} ${sid}`, status]));
  const wrong = happened.filter(({ about, last: end }) => last.get(about) !== end);
  expect(wrong).toEqual([]);
  const known = new Map(happened.map((one) => [`${one.about} ${one.status}`, one.key]));
  const keys = heard.map((one) => known.get(one.join(' ')) ?? one.join(' '));
  const isKnown = new Set(known.values());
  const repeated = keys.filter((key, index) => keys.indexOf(key) !== index);
  expect(repeated.filter((key) => !unanswered?.has(key))).toEqual([]);
  expect(keys.filter((key) => !isKnown.has(key))).toEqual([]);
  return repeated.length;
}
