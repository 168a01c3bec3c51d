import type { Execute } from 'n8n-workflow';
import pLimit from 'p-limit';
import { combined, oncePer, sleep } from '../../../src/builder.ts';

/** How many claims n8n keeps for each node: 20,000 keys, and what belongs to actions in progress. */
const maxEntries = 21_000;

/** How much longer than a write the rest after it is: the more claims there are, the more of them wait for a write. */
const restFactor = 4;
const maxRestMs = 1_000;

interface Change {
  helpers: Execute['helpers'];
  claim: string;
}

/**
 * Returns the functions that change the claims of a node. n8n reads, changes and writes all of them at once, so one change follows the
 * other, and changes that wait are one.
 */
const changesOf = oncePer((_node: string) => {
  const inTurn = pLimit(1);
  let rested = Promise.resolve();
  const rest = () => rested;
  const timed = <Result>(change: () => Promise<Result> | undefined) =>
    inTurn(async () => {
      const started = performance.now();
      try {
        return await change();
      } finally {
        rested = sleep(Math.min(maxRestMs, restFactor * (performance.now() - started)));
      }
    });
  const claimsIn = (changes: Change[]) => [...new Set(changes.map(({ claim }) => claim))];
  return {
    record: combined(async (changes: Change[]) => {
      const options = { mode: 'entries', maxEntries } as const;
      const write = changes[0]?.helpers.checkProcessedAndRecord;
      const recorded = await timed(() => write?.(claimsIn(changes), 'node', options));
      return new Set(recorded?.processed);
    }, rest),
    remove: combined((changes: Change[]) => {
      const write = changes[0]?.helpers.removeProcessed;
      return timed(() => write?.(claimsIn(changes), 'node', { mode: 'entries' }));
    }, rest),
  };
});

/** The claims of a node, in n8n's database. All executions and processes share them. */
export interface Claims {
  /** Resolves to those that n8n had already. */
  record(claims: string[]): Promise<string[]>;
  remove(claims: string[]): Promise<void>;
}

/** Opens the claims of the node that runs. */
export function claimsOf(context: Execute): Claims {
  const { helpers } = context;
  const changes = changesOf(`${context.getWorkflow().id} ${context.getNode().id}`);
  const changesTo = (claims: string[]) => claims.map((claim) => ({ helpers, claim }));
  return {
    async record(claims) {
      const known = await changes.record(changesTo(claims));
      const processed = claims.filter((claim) => known.has(claim));
      // Of equal claims in a write, the first one counts.
      for (const claim of claims) known.add(claim);
      return processed;
    },
    async remove(claims) {
      if (claims.length > 0) await changes.remove(changesTo(claims));
    },
  };
}
