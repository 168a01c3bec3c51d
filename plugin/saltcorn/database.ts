import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';

/** How often to retry, and how long to wait in between, in milliseconds. */
const tries = 40;
const wait = 50;

// SQLite briefly rejects access while another worker process of Saltcorn writes.
const isBusy = (error: unknown) => (error as { code?: unknown } | null)?.code === 'SQLITE_BUSY';

/** Runs a database operation, and retries while the database is busy. */
export async function retryWhileBusy<T>(act: () => Promise<T>): Promise<T> {
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
 * Converts a time for comparison with those in the database: SQLite stores milliseconds.
 *
 * @param milliseconds since 1970
 */
export const databaseTime = (milliseconds: number): Date | number =>
  db.isSQLite ? milliseconds : new Date(milliseconds);
