import { TelephonyError } from '../telephony-error.ts';
import { NoAnswer } from '../wire/no-answer.ts';
import type { Answer } from '../wire/send-request.ts';

/**
 * Whether a write whose answer brought no record may have been done all the same: a refusal and a redirect say that it
 * was not, and what never arrived was not either. All else leaves it open.
 */
export const leavesOpen = (reply: Answer | NoAnswer): boolean =>
  reply instanceof NoAnswer ? reply.mayHaveArrived : reply.status < 300 || reply.status >= 500;

/**
 * Whether an action that failed may have been done all the same. It must not be done again before someone has looked.
 *
 * @param error what it failed with
 */
export const mayHaveBeenDone = (error: unknown): error is TelephonyError =>
  error instanceof TelephonyError && error.code === 'unknown-outcome';
