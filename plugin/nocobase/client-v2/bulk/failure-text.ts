import { type Say, sentence } from '../../../../src/builder.ts';
import { problemOf } from '../host.ts';

/** Returns why a step of a batch failed. Its outcome is unknown if NocoBase did not respond. */
export const failureText = (say: Say, error: unknown): string =>
  Object(error).code === 'ERR_NETWORK'
    ? say(
        sentence('{builder} did not respond. Try again: rows that were sent are skipped.', {
          builder: 'NocoBase',
        }),
      )
    : problemOf(error).message;
