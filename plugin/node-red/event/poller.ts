import { definitions, pollEvents, TelephonyError } from '../../../src/index.ts';
import { type AccountNode, runningAccount, runningAccounts } from '../account/account.ts';
import type { NodeRed } from '../node-red.ts';
import { memoryOf } from './event-memory.ts';
import { type Listener, listenersOf } from './listeners.ts';
import { soFarOf } from './so-far-file.ts';
import { reportTold, tellFlows } from './tell-flows.ts';

/** How the service is asked for the events of an account. */
export interface Asked {
  /** In milliseconds. */
  every: number;
  /** When it answered last, as ISO 8601. */
  at?: string;
  /** Why it did not answer since. */
  problem?: string;
}

const asked = new Map<string, Omit<Asked, 'every'>>();

/** How the service is asked for the events of an account; undefined where it is not. */
export function askedOf(account: AccountNode): Asked | undefined {
  const every = account.askEvery();
  return every > 0 ? { every, ...asked.get(account.id) } : undefined;
}

const heardEvents = (account: string) =>
  definitions.events.map(({ id }) => id).filter((id) => listenersOf(account, id).length > 0);

// What was begun before a deploy comes to its end before it is asked again.
const last = new Map<string, Promise<void>>();

/** Asks the service for the events of an account, until it is stopped. */
class Poller {
  readonly #account: AccountNode;
  readonly #events: string[];
  readonly #stop = new AbortController();
  readonly #poll: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(RED: NodeRed, account: AccountNode, events: string[]) {
    const id = account.id;
    this.#account = account;
    this.#events = events;
    const poll = pollEvents(account.telephony(), {
      events,
      memory: memoryOf(RED, id),
      soFar: soFarOf(RED, id),
      tell: (event, options) => tellFlows(RED, id, event, options, false),
      report: (what) => {
        // What a deploy has interrupted is told after it.
        if (!this.#stop.signal.aborted) reportTold(account, what);
      },
    });
    this.#poll = () => poll({ signal: this.#stop.signal });
  }

  start(): void {
    this.#timer = setInterval(() => this.#ask(), this.#account.askEvery());
    this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stop.abort();
  }

  #ask(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const id = this.#account.id;
    const before = last.get(id) ?? Promise.resolve();
    const asking = before
      .then(() => this.#askOnce())
      .finally(() => {
        this.#isAsking = false;
      });
    last.set(id, asking);
  }

  async #askOnce(): Promise<void> {
    const { signal } = this.#stop;
    try {
      if (signal.aborted) return;
      await this.#poll();
      if (!signal.aborted) this.#say();
    } catch (error) {
      if (!signal.aborted) this.#say(error as Error);
    }
  }

  #say(error?: Error): void {
    const id = this.#account.id;
    const { at, problem } = asked.get(id) ?? {};
    const known = error ? { ...(at && { at }), problem: error.message } : { at: now() };
    asked.set(id, known);
    const listeners: Listener[] = this.#events.flatMap((event) => listenersOf(id, event));
    for (const listener of listeners) {
      listener.asked(error);
      // Once, until it answers again: the log is not to be filled.
      if (error && error.message !== problem) listener.failed(error);
    }
  }
}

const now = () => new Date().toISOString();

const pollers: Poller[] = [];

function start(RED: NodeRed, id: string): void {
  const account = runningAccount(id);
  const events = heardEvents(id);
  if (!account) return;
  try {
    if (events.length > 0 && account.askEvery() > 0) {
      const poller = new Poller(RED, account, events);
      pollers.push(poller);
      poller.start();
    } else (last.get(id) ?? Promise.resolve()).then(() => soFarOf(RED, id).forget());
  } catch (error) {
    // Nodes of events say what is wrong with the settings.
    if (!(error instanceof TelephonyError)) throw error;
  }
}

/** Asks for the events of all accounts that want it, while flows run. */
export function followPolling(RED: NodeRed): void {
  RED.events.on('flows:stopping', () => {
    for (const poller of pollers.splice(0)) poller.stop();
  });
  RED.events.on('flows:started', () => {
    for (const id of runningAccounts()) start(RED, id);
  });
}
