import { changeEntry, type Entry, type Store, writeEntry } from '../../store/store.ts';
import { inEnglish, type Said } from '../../text/sentence.ts';
import { type CursorStore, pollLimits } from './poll-options.ts';

/** The polling state of an account, shared by all processes. Times are in milliseconds since 1970. */
export interface PollState {
  /** When the last poll began; 0 if the next one is due. */
  begunAt: number;
  /** Who polls, and when the lease expires. */
  lease?: { owner: string; until: number };
  /** When a poll last succeeded. */
  answeredAt?: number;
  /** Why the polls since then have failed. */
  problem?: Said;
}

/** How a poll ended. */
export type PollEnd = 'succeeded' | 'interrupted' | { problem: Said };

/** Another process polls, or the cursor was reset. This poll must not write the cursor. */
export class LeaseLost extends Error {
  override message = 'Polling of this account was stopped or started again.';
}

const kindOf = (account: string) => `poll ${account}`;
const [stateKey, cursorKey] = ['state', 'cursor'];
const stateOf = (value: unknown) => (value ?? { begunAt: 0 }) as PollState;

/** Returns how long another owner's lease lasts, in milliseconds. */
function leaseLeftMs({ lease }: PollState, hasEnded: (owner: string) => boolean, now: number) {
  const leftMs = lease && !hasEnded(lease.owner) ? lease.until - now : 0;
  // A lease that lasts longer than possible was taken before the clock was put back.
  return leftMs > pollLimits.leaseMs ? 0 : Math.max(0, leftMs);
}

/** Returns how long it is until a poll is due, in milliseconds. */
function dueInMs({ begunAt }: PollState, intervalMs: number, now: number): number {
  // A poll that began in the future began before the clock was put back.
  if (begunAt > now) return 0;
  return Math.max(0, begunAt + intervalMs - pollLimits.toleranceMs - now);
}

function ended({ lease, problem, ...state }: PollState, end: PollEnd): PollState {
  if (end === 'succeeded') return { ...state, answeredAt: Date.now() };
  if (end === 'interrupted')
    return { ...state, begunAt: 0, ...(problem !== undefined && { problem }) };
  return { ...state, problem: end.problem };
}

/** The transitions of an account's polling state. Each is a swap of one entry, so a process can be killed at any moment. */
export function pollStateOf(store: Store, account: string) {
  const kind = kindOf(account);

  const change = (next: (state: PollState) => PollState | undefined): Promise<boolean> =>
    changeEntry(store, kind, stateKey, (value) => next(stateOf(value)));

  /** Extends the lease. Resolves to false if another owner has it now. */
  const renew = (owner: string): Promise<boolean> =>
    change((state) =>
      state.lease?.owner === owner
        ? { ...state, lease: { owner, until: Date.now() + pollLimits.leaseMs } }
        : undefined,
    );

  return {
    /** Reads the state, for a page that shows it. */
    async read(): Promise<PollState> {
      return stateOf((await store.get(kind, stateKey))?.value);
    },

    /**
     * Takes the lease if a poll is due and no other owner has it.
     *
     * @param hasEnded whether an owner is known to have ended
     * @returns 0 if it took the lease, or how long to wait, in milliseconds
     */
    async begin(
      owner: string,
      intervalMs: number,
      hasEnded: (owner: string) => boolean,
    ): Promise<number> {
      let waitMs = 0;
      await change((state) => {
        const now = Date.now();
        waitMs = Math.max(leaseLeftMs(state, hasEnded, now), dueInMs(state, intervalMs, now));
        if (waitMs > 0) return undefined;
        return { ...state, begunAt: now, lease: { owner, until: now + pollLimits.leaseMs } };
      });
      return waitMs;
    },

    renew,

    /** Ends a poll. Resolves to whether it has a new problem. */
    async end(owner: string, end: PollEnd): Promise<boolean> {
      let isNewProblem = false;
      await change((state) => {
        if (state.lease?.owner !== owner) return undefined;
        const known = state.problem && inEnglish(state.problem);
        isNewProblem = typeof end === 'object' && inEnglish(end.problem) !== known;
        return ended(state, end);
      });
      return isNewProblem;
    },

    /** Returns the cursor of one poll. Writing it fails once another poll or a reset has changed it. */
    cursor(owner = ''): CursorStore {
      let entry: Entry | undefined;
      return {
        async read() {
          entry = await store.get(kind, cursorKey);
          return entry?.value as string | undefined;
        },
        async write(value) {
          // A first cursor replaces nothing, so only the lease shows whether there was a reset.
          if (!entry && !(await renew(owner))) throw new LeaseLost();
          const isWritten = await writeEntry(store, kind, entry, { key: cursorKey, value });
          entry = await store.get(kind, cursorKey);
          if (!isWritten || entry?.value !== value) throw new LeaseLost();
        },
      };
    },

    /**
     * Deletes the cursor and the state, so that the next poll starts from then.
     *
     * @param before keeps what was written since then, because another process may have turned polling on again
     */
    reset: (before = Number.MAX_SAFE_INTEGER): Promise<void> => store.expire(kind, before),
  };
}
