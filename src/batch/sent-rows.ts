import { overrides } from '../status/statuses.ts';
import { changeEntry, type Store } from '../store/store.ts';

const kinds = { rows: 'rows with SIDs', outcomes: 'outcomes of SIDs' };

/** A message can be scheduled for 35 days. */
const rowsKeptMs = 40 * 86_400_000;
/** Much longer than it takes to write a SID to its row. */
const outcomesKeptMs = 3_600_000;

/**
 * Remembers to which rows the SIDs of messages were written, so that a status finds its rows without reading their table. A status can
 * arrive before its SID is written: then the row gets it later.
 */
export class SentRows<Row> {
  constructor(private readonly store: Store) {}

  /**
   * Remembers a row to which a SID was written.
   *
   * @returns the outcome that arrived earlier, if any
   */
  async add(sid: string, row: Row): Promise<string | undefined> {
    const key = JSON.stringify([sid, row]);
    await this.store.insert(kinds.rows, { key, index: sid, value: row });
    return (await this.store.get(kinds.outcomes, sid))?.value as string | undefined;
  }

  /** Remembers an outcome, and returns the rows to which its SID has been written. */
  async find(sid: string, outcome: string): Promise<Row[]> {
    // Before the rows are read, so that a row added meanwhile gets it.
    await changeEntry(this.store, kinds.outcomes, sid, (old) =>
      overrides(outcome, String(old ?? '')) ? outcome : undefined,
    );
    return (await this.store.find(kinds.rows, sid)).map(({ value }) => value as Row);
  }

  /** Deletes what is no longer needed. */
  async expire(): Promise<void> {
    await this.store.expire(kinds.rows, Date.now() - rowsKeptMs);
    await this.store.expire(kinds.outcomes, Date.now() - outcomesKeptMs);
  }
}
