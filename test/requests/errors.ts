import { TelephonyError } from '../../src/builder.ts';

/** What a promise was rejected with; fails the test when it was not, or with anything else than our error. */
export async function errorOf(promise: Promise<unknown>): Promise<TelephonyError> {
  try {
    await promise;
  } catch (error) {
    expect(error).toBeInstanceOf(TelephonyError);
    return error as TelephonyError;
  }
  throw new Error('Nothing was thrown.');
}

/** The parts of an error that are known, for whole comparisons. */
export const parts = ({ code, message, ...rest }: TelephonyError) =>
  Object.fromEntries(
    Object.entries({ code, message, ...rest }).filter(
      ([key, value]) => value !== undefined && key !== 'name',
    ),
  );
