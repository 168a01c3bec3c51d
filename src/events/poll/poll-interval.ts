import { TelephonyError } from '../../telephony-error.ts';
import { pollLimits } from './poll-limits.ts';

const minuteMs = 60_000;

/** The range of the setting “Poll every”, in minutes. */
export const pollMinutes = {
  least: pollLimits.shortestMs / minuteMs,
  most: pollLimits.longestMs / minuteMs,
};

/**
 * Parses the setting “Poll every”.
 *
 * @param minutes the setting, as entered
 * @returns milliseconds; 0 if polling is off, because the setting is empty or 0
 * @throws {TelephonyError} if it is out of range
 */
export function pollIntervalMs(minutes: unknown): number {
  const intervalMs = Math.round(Number(String(minutes ?? '').trim()) * minuteMs);
  const { shortestMs, longestMs } = pollLimits;
  if (intervalMs === 0 || (intervalMs >= shortestMs && intervalMs <= longestMs)) return intervalMs;
  throw new TelephonyError(
    'settings',
    `“Poll every” must be from ${pollMinutes.least} to ${pollMinutes.most} minutes. Leave it empty to turn polling off.`,
    { field: 'askMinutes' },
  );
}
