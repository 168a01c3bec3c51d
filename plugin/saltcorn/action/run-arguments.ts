import type { Row } from '../where/where.ts';

/** What Saltcorn runs an action with. */
export interface RunArguments {
  row?: Row;
  user?: { id?: number };
  /** A table of Saltcorn's, unless the row has replaced it. */
  table?: unknown;
  /** The fields of the action, as they were filled in in the builder. */
  configuration?: Row;
  req?: object;
  mode?: 'workflow';
}
