import type { FieldChoice } from '../../src/builder.ts';

/** What a field offers, as a browser gets it. */
export interface ChoicesAnswer {
  choices: FieldChoice[];
  /** Why there are none, for people. */
  problem?: string;
}
