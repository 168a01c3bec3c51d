import type { Columns } from '../../../src/builder.ts';

/** A row of a table, in Saltcorn's format. */
export type Row = Record<string, unknown>;

/** A Saltcorn filter: names of columns to values or conditions. */
export type Where = Record<string, unknown>;

/** What filters need to know about a table. */
export interface TableColumns extends Columns {
  /** The primary key. */
  key: string;
  /** The columns to search: any part of a text, but only a whole SID, because parts of it mean nothing to people. */
  searched: string[];
}

/** The value that a joined column is compared with if it stands alone in a formula: it is neither empty nor zero nor false. */
export const filledValue = Symbol('filled');

/** A sub-select of a column's values, in Saltcorn's format. */
export interface InSelect {
  table: string;
  field: string;
  where: Where;
  /** The table that `where` applies to, whose keys are in `field`, if it isn't `table` itself. */
  through?: string;
  through_pk?: string;
  valField?: string;
}

/** One step between tables: along `fkey` of the previous table, or to the rows whose `inboundKey` refers to it. */
interface Level {
  table: string;
  fkey?: string;
  inboundKey?: string;
  pk_name?: string;
  ref_name?: string;
}

export interface InSelectWithLevels {
  joinLevels: Level[];
  where: Where;
}

/** Both forms of sub-selects in Saltcorn. */
export type SubSelect = InSelect | InSelectWithLevels;
