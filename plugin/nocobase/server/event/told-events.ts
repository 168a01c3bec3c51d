import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { EventMemory, EventNote, KnownEvent } from '../../../../src/index.ts';
import { eventsTable } from '../../resources.ts';
import { forget } from '../forget.ts';
import { isTaken } from '../is-taken.ts';
import type { Application } from '../nocobase.ts';

/** How long it is remembered that an event was told, in milliseconds. */
const kept = 30 * 24 * 3_600_000;

/**
 * After how long an event that is still being told was begun by a process that has ended, in milliseconds: after ten seconds it
 * counts as told.
 */
const longest = 15_000;

/** How often it is looked whether another process has told an event of the same record, in milliseconds. */
const interval = 50;

/** An event in the table. */
interface Row {
  key: string;
  signature: string;
  subject: string;
  /** The subject, as long as the event is under way. */
  turn: string | null;
  step: number;
  isTold: boolean;
  account: string;
  at: number;
}

/** Deletes log entries of events that were delivered too long ago. */
export async function forgetOldEvents({ db }: Application): Promise<void> {
  await forget(db.getCollection(eventsTable), { at: { $lt: Date.now() - kept } });
}

/** Which events of an account were told, in a table of NocoBase's database, so that all its processes know it. */
export class ToldEvents implements EventMemory {
  readonly #app: Application;
  readonly #account: string;

  constructor(app: Application, account: string) {
    this.#app = app;
    this.#account = account;
  }

  get #table() {
    return this.#app.db.getCollection(eventsTable);
  }

  /** Which is this account's alone, and fits in a column. */
  readonly #own = (text: string): string =>
    createHash('sha256')
      .update(JSON.stringify([this.#account, text]))
      .digest('hex');

  #row({ key, signature, subject, step }: EventNote): Row {
    const own = this.#own(subject);
    return {
      ...{ key: this.#own(key), signature: this.#own(signature), subject: own, turn: own, step },
      ...{ isTold: false, account: this.#account, at: Date.now() },
    };
  }

  /** Forgets what nobody tells any more. */
  async #forgetEnded({ turn, signature }: Row) {
    const now = Date.now();
    // Where the clock was put back, it was begun later than now.
    const ended = { $or: [{ at: { $lt: now - longest } }, { at: { $gt: now + longest } }] };
    await forget(this.#table, {
      $and: [{ isTold: false }, ended, { $or: [{ turn }, { signature }] }],
    });
  }

  /** Takes the turn of its record. Nobody has it when another event of the record has, or when the event is known. */
  async #begin(row: Row): Promise<boolean> {
    try {
      await this.#table.model.create(row);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
  }

  async #isLate({ key, subject }: Row, { lateFrom }: EventNote): Promise<boolean> {
    const filter = { subject, key: { $ne: key }, step: { $gte: lateFrom } };
    return (await this.#table.repository.findOne({ filter })) !== null;
  }

  async note(note: EventNote): Promise<KnownEvent> {
    for (;;) {
      const row = this.#row(note);
      const { key, signature } = row;
      await this.#forgetEnded(row);
      if (await this.#begin(row)) {
        if (!(await this.#isLate(row, note))) return 'new';
        await this.forget(note);
        return 'late';
      }
      const filter = { $or: [{ key }, { signature }] };
      const same = await this.#table.repository.findOne({ filter });
      if (same) return same.get('isTold') ? 'told' : 'under-way';
      await setTimeout(interval);
    }
  }

  async told({ key }: EventNote): Promise<void> {
    const values: Partial<Row> = { isTold: true, turn: null, at: Date.now() };
    await this.#table.model.update(values, { where: { key: this.#own(key) } });
  }

  async forget({ key }: EventNote): Promise<void> {
    await this.#table.model.destroy({ where: { key: this.#own(key), isTold: false } });
  }

  /** When the last one was told. */
  async last(): Promise<Date | undefined> {
    const where = { account: this.#account, isTold: true };
    const at = await this.#table.model.max('at', { where });
    return at ? new Date(Number(at)) : undefined;
  }

  /** Forgets all, since the account is removed. */
  async forgetAll(): Promise<void> {
    await this.#table.model.destroy({ where: { account: this.#account } });
  }
}
