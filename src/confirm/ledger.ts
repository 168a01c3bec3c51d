import type { TelephonyRecord } from '../answer/read-record.ts';

/** How long it is remembered which record was whose, in milliseconds: longer than one could be found by another. */
const memory = 120_000;

/** By whom a record was taken: a write that was answered or found, or whoever asked about something that was begun before. */
export interface Taker {
  /** When the write was sent, on the clock of `performance.now()`. */
  began?: number;
  /** When what was asked about was begun, by the clock of the service, in milliseconds. */
  since?: number;
}

type State = 'waits' | 'in progress' | 'being confirmed' | 'is unknown' | 'is over';

/** Something that was to be done, and what is known of it. */
export class Write {
  /** Whether a record of the service says what this one asked for. */
  readonly fits: (record: TelephonyRecord) => boolean;
  /** Resolves when it is no longer in progress. */
  readonly ended: Promise<void>;
  state: State = 'waits';
  /** When it was sent, on the clock of `performance.now()`. */
  began = 0;
  #end: () => void = () => {};

  constructor(fits: Write['fits']) {
    this.fits = fits;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  begin() {
    this.state = 'in progress';
    this.began = performance.now();
  }

  end(state: State) {
    this.state = state;
    this.#end();
  }
}

/**
 * Which records of an account are known to be whose. Two messages can be equal in all that is known of them, so that none of
 * their records may stand for both.
 */
export class Ledger {
  readonly #writes = new Set<Write>();
  readonly #taken = new Map<string, Taker & { time: number }>();

  /** Notes what is to be done. */
  open(fits: Write['fits']): Write {
    const write = new Write(fits);
    this.#writes.add(write);
    return write;
  }

  /** Records its outcome, and forgets writes that no one can ask about any more. */
  close(write: Write, state: 'is unknown' | 'is over') {
    write.end(state);
    if (state === 'is over') this.#writes.delete(write);
    const past = performance.now() - memory;
    for (const one of this.#writes) {
      if (one.began > past) break;
      if (one.state === 'is unknown') this.#writes.delete(one);
    }
    const [oldest = write] = this.#writes;
    for (const [key, { time }] of this.#taken) {
      if (time > Math.min(past, oldest.began - memory)) break;
      this.#taken.delete(key);
    }
  }

  /** Records whose a record is: no one else's from then on. */
  take(key: string, taker: Taker = {}) {
    // Later takes are behind earlier ones, which are forgotten first.
    this.#taken.delete(key);
    this.#taken.set(key, { ...taker, time: performance.now() });
  }

  isTaken = (key: string): boolean => this.#taken.has(key);

  /** Who took a record; undefined if no one has. */
  takerOf = (key: string): Taker | undefined => this.#taken.get(key);

  /** Those of which it is not known yet whether the record is theirs. */
  underWay(record: TelephonyRecord): Write[] {
    return this.#of('in progress', record);
  }

  /**
   * How many have an unknown outcome: the record may be one of theirs.
   *
   * @param mayBeOurs whether one of them may be who asks; of these one is
   */
  unknown(record: TelephonyRecord, mayBeOurs: (taker: Taker) => boolean = () => false): number {
    const all = this.#of('is unknown', record);
    return all.length - (all.some(mayBeOurs) ? 1 : 0);
  }

  #of(state: State, record: TelephonyRecord) {
    return [...this.#writes].filter((write) => write.state === state && write.fits(record));
  }
}

const ledgers = new Map<string, Ledger>();

/**
 * The ledger of an account, one for all who opened it in this process.
 *
 * @param root where the account is
 */
export function ledgerOf(root: string): Ledger {
  const known = ledgers.get(root) ?? new Ledger();
  ledgers.set(root, known);
  return known;
}
