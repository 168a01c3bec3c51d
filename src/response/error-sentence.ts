import type { ServiceError } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';

const catalogue = new Map(
  definitions.errors.map((error): [string, ServiceError] => [String(error.code), error]),
);

/** Returns the entry of a service's error code in `errors.json`; undefined if it isn't listed. */
export const serviceError = (code: unknown): ServiceError | undefined =>
  catalogue.get(String(code));

/**
 * Returns the sentence for one of the service's error codes, such as why a message was not delivered and what to do.
 *
 * @param code the code, as a number or as text
 * @returns undefined for an unknown code
 */
export const errorSentence = (code: string | number): string | undefined =>
  serviceError(code)?.sentence;
