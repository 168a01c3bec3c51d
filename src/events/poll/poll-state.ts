import type { Entry, NewEntry, Store } from '../../store/store.ts';
import { writeEntry } from '../../store/write-entry.ts';
import { pollLimits } from './poll-limits.ts';
import type { CursorStore } from './poll-options.ts';

/** What is known of the polling of an account, in all processes. Times are in milliseconds since 1970. */
export interface PollState {
  /** When the last poll began; 0 if the next one is due. */
  begunAt: number;
  /** Who polls, and until when that is certain. */
  lease?: { owner: string; until: number };
  /** When the service last answered. */
  answeredAt?: number;
  /** Why it hasn't since. */
  problem?: string;
}

/** What was known before there was a store. */
export interface EarlierPoll {
  cursor?: string | undefined;
  begunAt?: number;
  answeredAt?: number;
  problem?: string;
}

/** How a poll ended. */
export type PollEnd = 'answered' | 'interrupted' | { problem: string };

/** Someone else polls, or the cursor was reset: what this poll found isn't recorded. */
export class LeaseLost extends Error {}

const kindOf = (account: string) => `poll ${account}`;
const [stateKey, cursorKey] = ['state', 'cursor'];
const stateOf = (entry: Entry | undefined) => (entry?.value ?? { begunAt: 0 }) as PollState;

/** How long to wait for whoever has the lease. */
function leaseLeft({ lease }: PollState, hasEnded: (owner: string) => boolean, now: number) {
  const left = lease && !hasEnded(lease.owner) ? lease.until - now : 0;
  // It can't last longer than a lease does: the clock was put back since.
  return left > pollLimits.leaseMs ? 0 : Math.max(0, left);
}

/** How long it is until a poll is due. */
function dueIn({ begunAt }: PollState, intervalMs: number, now: number): number {
  // A poll that begins in the future was begun before the clock was put back.
  if (begunAt > now) return 0;
  return Math.max(0, begunAt + intervalMs - pollLimits.toleranceMs - now);
}

function ended({ lease, problem, ...state }: PollState, end: PollEnd): PollState {
  if (end === 'answered') return { ...state, answeredAt: Date.now() };
  if (end === 'interrupted')
    return { ...state, begunAt: 0, ...(problem !== undefined && { problem }) };
  return { ...state, problem: end.problem };
}

/** The transitions of an account's polling. Each is a swap of one entry, so that any process can be killed between two. */
export function pollStateOf(store: Store, account: string) {
  const kind = kindOf(account);

  async function change(next: (state: PollState) => PollState | undefined): Promise<boolean> {
    for (;;) {
      const entry = await store.get(kind, stateKey);
      const value = next(stateOf(entry));
      if (!value) return false;
      if (await writeEntry(store, kind, entry, { key: stateKey, value })) return true;
    }
  }

  /** Extends the lease. Resolves to false if someone else has it now. */
  const renew = (owner: string): Promise<boolean> =>
    change((state) =>
      state.lease?.owner === owner
        ? { ...state, lease: { owner, until: Date.now() + pollLimits.leaseMs } }
        : undefined,
    );

  return {
    /** Reads the state, to show it. */
    async read(): Promise<PollState> {
      return stateOf(await store.get(kind, stateKey));
    },

    /**
     * Takes the lease, if a poll is due and no one else has it.
     *
     * @param hasEnded whether an owner is known to poll no longer
     * @returns 0 if it took the lease, or how long to wait, in milliseconds
     */
    async begin(
      owner: string,
      intervalMs: number,
      hasEnded: (owner: string) => boolean,
    ): Promise<number> {
      let left = 0;
      await change((state) => {
        const now = Date.now();
        left = Math.max(leaseLeft(state, hasEnded, now), dueIn(state, intervalMs, now));
        if (left > 0) return undefined;
        return { ...state, begunAt: now, lease: { owner, until: now + pollLimits.leaseMs } };
      });
      return left;
    },

    renew,

    /** Ends a poll. Resolves to whether that brings a problem that isn't known yet. */
    async end(owner: string, end: PollEnd): Promise<boolean> {
      let isNewProblem = false;
      await change((state) => {
        if (state.lease?.owner !== owner) return undefined;
        isNewProblem = typeof end === 'object' && end.problem !== state.problem;
        return ended(state, end);
      });
      return isNewProblem;
    },

    /** The cursor for one poll, which writes nothing once another poll or a reset has changed it. */
    cursor(owner = ''): CursorStore {
      let entry: Entry | undefined;
      return {
        async read() {
          entry = await store.get(kind, cursorKey);
          return entry?.value as string | undefined;
        },
        async write(value) {
          // A first cursor replaces none, so that a reset meanwhile shows only in the lease.
          if (!entry && !(await renew(owner))) throw new LeaseLost();
          const isWritten = await writeEntry(store, kind, entry, { key: cursorKey, value });
          entry = await store.get(kind, cursorKey);
          if (!isWritten || entry?.value !== value) throw new LeaseLost();
        },
      };
    },

    /**
     * Forgets the cursor and everything else: the next poll starts from then.
     *
     * @param before what was written since then stays: another process may have turned polling on again
     */
    reset: (before = Number.MAX_SAFE_INTEGER): Promise<void> => store.expire(kind, before),
  };
}

/** What a store keeps of polling that an earlier version has begun. */
export function entriesOfEarlierPoll(
  { cursor, begunAt = 0, answeredAt = 0, problem = '' }: EarlierPoll,
  account = '',
): [kind: string, entry: NewEntry, at: number][] {
  const state: PollState = {
    begunAt,
    ...(answeredAt > 0 && { answeredAt }),
    ...(problem !== '' && { problem }),
  };
  const entries = [
    ...(cursor ? [{ key: cursorKey, value: cursor }] : []),
    ...(begunAt > 0 ? [{ key: stateKey, value: state }] : []),
  ];
  return entries.map((entry) => [kindOf(account), entry, Date.now()]);
}
