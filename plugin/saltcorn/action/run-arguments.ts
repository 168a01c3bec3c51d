import type { Row } from '../where/where.ts';

/** What Saltcorn runs an action with. */
export interface RunArguments {
  row?: Row;
  user?: { id?: number };
  /** The fields of the action, as they were filled in in the builder. */
  configuration?: Row;
  req?: object;
  mode?: 'workflow';
}
