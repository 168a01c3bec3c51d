import { sleep } from '../../../src/builder.ts';
import type { Claims } from './claims.ts';

/** How many items one claim can stand for. */
const perBlock = 100;

/** How long two workers that write claims at the same moment take, at most. */
export const writeMs = 300;

/** Returns the name of the block of an item; undefined for one without a number. */
function blockOf(key: string): string | undefined {
  const [, run, item] = /^(.+:\d+):(\d+)$/.exec(key) ?? [];
  return run && `${run}:block ${Math.floor(Number(item) / perBlock)}`;
}

/** The two keys of a block: it counts only with both, because n8n can't say whether it has a claim without recording it. */
const partsOf = (block: string) => [block, `${block} is whole`];

/**
 * The claims of an execution's items. n8n reads and writes all claims of a node at once, so those of a hundred items that have ended become
 * one of their block. A block is never claimed before each of its items has ended: one that wasn't sent never counts as claimed.
 */
export class ClaimBlocks {
  readonly #ended = new Map<string, Set<string>>();
  readonly #claimed = new Map<string, Promise<boolean>>();
  readonly #whole = new Set<string>();
  /** Whether an earlier attempt, whose memos are lost, may have claimed blocks. */
  #isRepeated: Promise<boolean> | undefined;

  readonly #mark: string;

  /**
   * @param claimOf returns the claim of a key
   * @param isUsed whether there are blocks: only if all attempts have the same claims
   */
  constructor(
    readonly claimOf: (key: string) => string,
    private readonly isUsed: boolean,
  ) {
    this.#mark = claimOf('attempt');
    if (!isUsed) this.#isRepeated = Promise.resolve(false);
  }

  #claimsOf = (block: string) => partsOf(block).map(this.claimOf);

  /** Records claims of items. Resolves to those that an earlier attempt has recorded, also as a part of a block. */
  async record(claims: Claims, keys: string[], others: string[]): Promise<string[]> {
    const own = keys.map(this.claimOf);
    const recorded = claims.record([...own, ...others, ...(this.#isRepeated ? [] : [this.#mark])]);
    this.#isRepeated ??= recorded.then((processed) => processed.includes(this.#mark));
    const processed = await recorded.catch((error) => {
      this.#isRepeated = undefined;
      throw error;
    });
    if (!(await this.#isRepeated)) return processed;
    const isClaimed = await Promise.all(keys.map((key) => this.#isClaimed(claims, blockOf(key))));
    return [...processed, ...own.filter((_, index) => isClaimed[index])];
  }

  #isClaimed(claims: Claims, block: string | undefined): Promise<boolean> | boolean {
    if (block === undefined) return false;
    const known = this.#claimed.get(block) ?? this.#check(claims, block);
    this.#claimed.set(block, known);
    return known;
  }

  async #check(claims: Claims, block: string): Promise<boolean> {
    const recorded: string[] = [];
    for (const part of this.#claimsOf(block)) {
      recorded.push(part);
      if ((await claims.record([part])).length > 0) continue;
      await claims.remove(recorded);
      return false;
    }
    return true;
  }

  /** Notes that an item has ended, so that no attempt may send it. The last one of a block claims the block instead of its items. */
  async end(claims: Claims, key: string): Promise<void> {
    const block = blockOf(key);
    if (!this.isUsed || block === undefined || (await this.#isRepeated)) return;
    const ended = this.#ended.get(block) ?? new Set();
    this.#ended.set(block, ended.add(key));
    if (ended.size < perBlock || this.#whole.has(block)) return;
    this.#whole.add(block);
    const parts = this.#claimsOf(block);
    await claims.record(parts);
    // Another worker's write at the same moment can have replaced it.
    await sleep(writeMs);
    if ((await claims.record(parts)).length === parts.length)
      await claims.remove([...ended].map(this.claimOf));
  }

  /** Returns the claims that are no longer needed once n8n has stored the outcomes of some keys. */
  needless(stored: string[]): string[] {
    const known = new Set(stored);
    const isStored = (block: string) =>
      [...(this.#ended.get(block) ?? [])].every((key) => known.has(key));
    const blocks = [...this.#whole].filter(isStored);
    const isAll = blocks.length === this.#whole.size;
    return [
      ...stored.map(this.claimOf),
      ...blocks.flatMap(this.#claimsOf),
      ...(this.isUsed && isAll ? [this.#mark] : []),
    ];
  }
}
