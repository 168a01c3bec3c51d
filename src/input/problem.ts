import { type ErrorCode, TelephonyError } from '../telephony-error.ts';

/** Why the value of a field is invalid. */
export interface Problem {
  /** The key of the field. */
  key: string;
  sentence: string;
}

/**
 * Creates the error that names several problems.
 *
 * @param code the code of the error: `input` or `settings`
 * @param problems the problems, in the order of the form
 * @param field the key of the first field to change, if there is one
 */
export const problemsError = (
  code: ErrorCode,
  problems: Problem[],
  field: string | undefined,
): TelephonyError =>
  new TelephonyError(code, problems.map(({ sentence }) => sentence).join(' '), { field });
