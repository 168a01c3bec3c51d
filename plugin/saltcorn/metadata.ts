/** What the module keeps in Saltcorn's database, in the table that Saltcorn has for its modules. */
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import MetaData, { type Content, type Selection } from '@saltcorn/data/models/metadata';

/** How often and after how many milliseconds it is tried again. */
const tries = 40;
const wait = 50;

// SQLite refuses for a moment what another worker process of Saltcorn is writing to.
const isBusy = (error: unknown) => (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';

/** Does something with the database, and again as long as it is busy. */
export async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await act();
    } catch (error) {
      if (!isBusy(error) || count === tries) throw error;
      await setTimeout(wait);
    }
  }
}

/**
 * A time as it is compared with those in the database: SQLite has milliseconds.
 *
 * @param milliseconds since 1970
 */
export const databaseTime = (milliseconds: number): Date | number =>
  db.isSQLite ? milliseconds : new Date(milliseconds);

export const findStored = <Body>(where: object, selection: Selection = { orderBy: 'id' }) =>
  patiently(() => MetaData.find<Body>(where, selection));

export const store = <Body>(content: Content<Body>) =>
  patiently(() => MetaData.create<Body>(content));

export const forget = (where: object) => patiently(() => db.deleteWhere('_sc_metadata', where));
