import { randomUUID } from 'node:crypto';
import { oncePer } from '../async/once.ts';
import type { TelephonyRecord } from '../response/read-record.ts';

/** How long claims and unknown outcomes are remembered, in milliseconds: longer than another write could find the record. */
export const memoryMs = 120_000;

/** Who claimed a record: a write that got its response or was confirmed, or a later confirmation of an action. */
export interface Claimant {
  /** The id of the write. */
  id?: string | undefined;
  /** When the write was sent, on the clock of `performance.now()`. */
  sentAt?: number | undefined;
  /** When the action of a later confirmation began, by the service's clock, in milliseconds. */
  since?: number | undefined;
  /** The `identity` of its query. */
  identity?: string | undefined;
}

type State = 'waiting' | 'in progress' | 'confirming' | 'unknown' | 'ended';

/** An action that is sent to the service, and the state of its outcome. */
export class Write {
  readonly id: string = randomUUID();
  /** Whether a record of the service has the values of this write. */
  readonly matches: (record: TelephonyRecord) => boolean;
  readonly identity: string | undefined;
  /** Resolves when it is no longer in progress. */
  readonly ended: Promise<void>;
  state: State = 'waiting';
  /** When it was sent, on the clock of `performance.now()`. */
  sentAt = 0;
  #resolveEnded: () => void = () => {};

  constructor(matches: Write['matches'], identity?: string) {
    this.matches = matches;
    this.identity = identity;
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  start() {
    this.state = 'in progress';
    this.sentAt = performance.now();
  }

  end(state: State) {
    this.state = state;
    this.#resolveEnded();
  }
}

/** Records which write each record of an account belongs to, so that no record confirms two equal messages. */
export class Ledger {
  readonly #writes = new Set<Write>();
  readonly #claims = new Map<string, Claimant & { at: number }>();

  /** Adds a write that is about to be sent. */
  open(matches: Write['matches'], identity?: string): Write {
    const write = new Write(matches, identity);
    this.#writes.add(write);
    return write;
  }

  /** Records the outcome of a write. Forgets claims and unknown outcomes that are too old to matter. */
  close(write: Write, state: 'unknown' | 'ended') {
    write.end(state);
    if (state === 'ended') this.#writes.delete(write);
    const forgottenBefore = performance.now() - memoryMs;
    for (const one of this.#writes) {
      if (one.sentAt > forgottenBefore) break;
      if (one.state === 'unknown') this.#writes.delete(one);
    }
    const [oldest = write] = this.#writes;
    for (const [key, { at }] of this.#claims) {
      if (at > Math.min(forgottenBefore, oldest.sentAt - memoryMs)) break;
      this.#claims.delete(key);
    }
  }

  /** Records who a record belongs to. That write's outcome is then no longer unknown. */
  claim(key: string, { id, sentAt, since, identity }: Claimant = {}) {
    for (const write of this.#writes)
      if (write.id === id && write.state === 'unknown') this.#writes.delete(write);
    // A repeated claim moves to the end, so that the map stays sorted by time.
    this.#claims.delete(key);
    // Not the write itself, which would keep its values in memory.
    this.#claims.set(key, { id, sentAt, since, identity, at: performance.now() });
  }

  isClaimed = (key: string): boolean => this.#claims.has(key);

  claimantOf = (key: string): Claimant | undefined => this.#claims.get(key);

  /** The writes in progress that one of the records may belong to. */
  inProgress(records: TelephonyRecord[]): Write[] {
    return this.#matching('in progress', records);
  }

  /** The writes with an unknown outcome that one of the records may belong to. */
  unknown(records: TelephonyRecord[]): Write[] {
    return this.#matching('unknown', records);
  }

  /** Whether it remembers a write: one that isn't ended, or that claimed a record. */
  remembers(id: string): boolean {
    return [...this.#writes, ...this.#claims.values()].some((one) => one.id === id);
  }

  #matching(state: State, records: TelephonyRecord[]) {
    return [...this.#writes].filter(
      (write) => write.state === state && records.some(write.matches),
    );
  }
}

/** Returns the ledger of an account, by its URL. All connections of this process share it. */
export const ledgerOf = oncePer((_root: string) => new Ledger());
