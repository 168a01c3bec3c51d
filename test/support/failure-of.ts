/** The message of the error, for tests that expect one. */
export const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'It did not fail.',
    (error) => String(error.message),
  );
