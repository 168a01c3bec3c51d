import { TelephonyError } from '../../src/builder.ts';

/** The error of a rejected promise. Fails the test if it is fulfilled, or rejected with another error. */
export async function errorOf(promise: Promise<unknown>): Promise<TelephonyError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(TelephonyError);
    return error as TelephonyError;
  }
  throw new Error('Nothing was thrown.');
}

/** The defined properties of an error, to compare it as a whole. */
export const parts = ({ code, message, ...rest }: TelephonyError) =>
  Object.fromEntries(
    Object.entries({ code, message, ...rest }).filter(
      ([key, value]) => value !== undefined && key !== 'name',
    ),
  );
