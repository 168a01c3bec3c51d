import type { ServiceError } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';

const catalogue = new Map(
  definitions.errors.map((error): [string, ServiceError] => [String(error.code), error]),
);

/** What is known of a code of the service's errors; undefined for other codes. */
export const serviceError = (code: unknown): ServiceError | undefined =>
  catalogue.get(String(code));

/**
 * A code of the service's errors as a sentence that says what to do, such as why a message was not delivered.
 *
 * @param code the code, also one that came as text
 * @returns undefined for a code that is not known here
 */
export const errorSentence = (code: string | number): string | undefined =>
  serviceError(code)?.sentence;
