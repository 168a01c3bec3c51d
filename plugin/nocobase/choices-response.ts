import type { FieldChoice } from '../../src/builder.ts';

/** The choices of a field, as sent to a browser. */
export interface ChoicesResponse {
  choices: FieldChoice[];
  /** Why there are none, as a message to the user. */
  problem?: string;
}
