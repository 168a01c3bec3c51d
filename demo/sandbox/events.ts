import type { Clock } from './clock.ts';
import { type EventFault, forgedParameters } from './event-faults.ts';
import { eventTo, type PostedEvent, postEvent } from './event-post.ts';
import { FaultQueue } from './faults.ts';
import type { Parameter } from './signature.ts';

/** The webhook URLs of a number of the account. */
export interface NumberSettings {
  /** Called when a message is received. */
  smsUrl?: string;
  /** Called when a call comes in. The response contains instructions. */
  voiceUrl?: string;
  /** Called when a call to it ends, or for the statuses in `statusCallbackEvents`. */
  statusCallback?: string;
  statusCallbackEvents?: CallEvent[];
  /** The messaging service or app that gets its messages, so that `smsUrl` isn't called. */
  smsApplicationSid?: string;
}

export type CallEvent = 'ringing' | 'answered' | 'completed';

const LONGEST_LOG = 1000;
const USUAL_DELAY = 5;
const NOT_THE_TOKEN = '0'.repeat(32);

/** Sends webhooks. */
export class Events {
  /** The last 1000 requests, oldest first. */
  readonly log: PostedEvent[] = [];
  readonly faults: FaultQueue<EventFault>;
  /** The webhook URLs by number. Changes take effect with the next event. */
  readonly numbers = new Map<string, NumberSettings>();
  #held: (() => void)[] = [];
  #inProgress = new Set<Promise<void>>();

  constructor(
    private readonly clock: Clock,
    private readonly token: string,
    private readonly initial: Record<string, NumberSettings>,
    seed: number,
  ) {
    this.faults = new FaultQueue(seed);
    this.reset();
  }

  /**
   * Sends a webhook if there is a URL.
   *
   * @param url the webhook URL, if there is one
   * @param answered called with the body of the response
   */
  report(
    url: string | null | undefined,
    parameters: readonly Parameter[],
    answered: (body: string) => void = () => {},
  ): void {
    if (!url) return;
    const event = () => eventTo(url, parameters, this.token);
    const fault = this.faults.take('POST', url);
    if (fault?.name === 'reorder') {
      this.#held.push(() => this.#post(event(), answered));
      return;
    }
    const held = this.#held.splice(0);
    const send = () => this.#post(event(), answered, fault?.name === 'repeat' ? 2 : 1, held);
    if (fault?.name === 'forge')
      this.#post(eventTo(url, forgedParameters(parameters), NOT_THE_TOKEN));
    if (fault?.name === 'delay') this.clock.after((fault.seconds ?? USUAL_DELAY) * 1000, send);
    else send();
  }

  /** Whether a request has no response yet. */
  get isSending(): boolean {
    return this.#inProgress.size > 0;
  }

  /** Resolves when every request has its response or has failed, also those that wait for another one. */
  async settled(): Promise<void> {
    while (this.#inProgress.size > 0 || this.#held.length > 0) {
      await Promise.all(this.#inProgress);
      for (const send of this.#held.splice(0)) send();
    }
  }

  /** Restores the initial numbers, and clears faults and the log. */
  reset(): void {
    this.log.length = 0;
    this.faults.clear();
    this.#held = [];
    this.numbers.clear();
    for (const [number, settings] of Object.entries(this.initial))
      this.numbers.set(number, settings);
  }

  /** Sends a request, its repetition after the response, and then the requests that waited for it. */
  #post(
    event: PostedEvent,
    answered: (body: string) => void = () => {},
    times = 1,
    held: (() => void)[] = [],
  ): void {
    if (this.log.push(event) > LONGEST_LOG) this.log.shift();
    const sendAll = async () => {
      for (let time = 0; time < times; time += 1) {
        answered(await postEvent(event));
      }
      for (const send of held) send();
    };
    const done = sendAll();
    this.#inProgress.add(done);
    done.finally(() => this.#inProgress.delete(done));
  }
}
