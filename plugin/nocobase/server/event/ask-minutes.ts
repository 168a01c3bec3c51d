import { TelephonyError } from '../../../../src/index.ts';

/** The longest time between two times that the service is asked, in minutes: a day. */
const longest = 1_440;

/**
 * Every how many minutes the service is asked for events; 0 where it is not.
 *
 * @throws {TelephonyError} for what is no such time
 */
export function readMinutes(typed: unknown): number {
  const minutes = Number(typed ?? 0);
  if (minutes >= 0 && minutes <= longest) return minutes;
  throw new TelephonyError(
    'input',
    `“Poll every” can have at most ${longest} minutes. Leave it empty to turn polling off.`,
    { field: 'askMinutes' },
  );
}
