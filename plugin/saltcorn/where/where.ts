/** A row of a table, as Saltcorn takes it. */
export type Row = Record<string, unknown>;

/** What rows must be like, in Saltcorn's own form of it: names of columns to values or conditions. */
export type Where = Record<string, unknown>;
