import db from '@saltcorn/data/db';

/**
 * A time as it is compared with those in the database: SQLite has milliseconds.
 *
 * @param milliseconds since 1970
 */
export const databaseTime = (milliseconds: number): Date | number =>
  db.isSQLite ? milliseconds : new Date(milliseconds);
