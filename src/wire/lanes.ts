/** Entries that wait in lanes. Lanes take turns, so that many entries of one don't hold up those of another. */
export class Lanes<Entry> {
  /** The lanes with waiting entries, the one whose turn it is first. */
  #lanes = new Map<string, Entry[]>();

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  add(lane: string, entry: Entry): void {
    const entries = this.#lanes.get(lane);
    if (entries) entries.push(entry);
    else this.#lanes.set(lane, [entry]);
  }

  /**
   * Removes the first entry of the next lane, whose next turn then comes after the others.
   *
   * @param isOpen whether a lane can take its turn
   */
  take(isOpen: (lane: string) => boolean = () => true): Entry | undefined {
    for (const [lane, entries] of this.#lanes) {
      if (!isOpen(lane)) continue;
      const first = entries.shift();
      this.#lanes.delete(lane);
      if (entries.length > 0) this.#lanes.set(lane, entries);
      return first;
    }
    return undefined;
  }

  /** Removes the entries that match, and returns them. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = [];
    for (const [lane, entries] of this.#lanes) {
      removed.push(...entries.filter(matches));
      const left = entries.filter((entry) => !matches(entry));
      if (left.length > 0) this.#lanes.set(lane, left);
      else this.#lanes.delete(lane);
    }
    return removed;
  }
}
