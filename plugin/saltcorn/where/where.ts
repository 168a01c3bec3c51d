/** A row of a table, as Saltcorn takes it. */
export type Row = Record<string, unknown>;

/** What rows must be like, in Saltcorn's own form of it: names of columns to values or conditions. */
export type Where = Record<string, unknown>;

/** Values of a column of other rows, in Saltcorn's own form of it. */
export interface InSelect {
  table: string;
  field: string;
  where: Where;
  /** The table that `where` is about, whose keys are in `field`, when it is not `table` itself. */
  through?: string;
  through_pk?: string;
  valField?: string;
}

/** One step from table to table: along `fkey` of the table before, or to the rows whose `inboundKey` is a row of it. */
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

/** Both forms in which Saltcorn asks for values of other tables. */
export type SubSelect = InSelect | InSelectWithLevels;
