import { type ErrorCode, TelephonyError } from '../telephony-error.ts';
import { type Said, sentence, sentences } from '../text/sentence.ts';

/** Why the value of a field is invalid. */
export interface Problem {
  /** The key of the field. */
  key: string;
  said: Said;
}

/** Says what is wrong with a field, whose label begins the sentence. */
export const fieldProblem = ({ label }: { label: string }, problem: Said): Said =>
  sentence('"{label}" {problem}.', { label: { text: label }, problem });

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
  new TelephonyError(code, sentences(...problems.map(({ said }) => said)), { field });
