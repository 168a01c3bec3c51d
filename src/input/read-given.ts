import { type ErrorCode, TelephonyError } from '../telephony-error.ts';

/**
 * Reads what a program passes. That can run its own code, such as a getter or a proxy, which may throw anything.
 *
 * @param name the name of what is read, as the start of a sentence
 * @param read reads and checks it. Its `TelephonyError` stays as it is
 * @param details the code of the error, `input` if not given, and the key of the field
 * @throws {TelephonyError} if it can't be read
 */
export function readGiven<Value>(
  name: string,
  read: () => Value,
  { code = 'input', field }: { code?: ErrorCode | undefined; field?: string | undefined } = {},
): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof TelephonyError) throw error;
    // Without the error itself, because its text could contain a secret.
    throw new TelephonyError(code, `${name} can't be read: a getter or a proxy failed.`, { field });
  }
}
