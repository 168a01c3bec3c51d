import { TelephonyError } from '../telephony-error.ts';
import { NoResponse } from '../wire/no-response.ts';
import type { ServiceResponse } from '../wire/send-request.ts';

/**
 * 303 says that the answer to what was done is elsewhere (RFC 9110, 15.4.4). By 408 and 499 gateways say that what is behind them
 * did not answer in time, or that they no longer waited for it: they have passed it on.
 */
const leftOpen = new Set([303, 408, 499]);

const isOpen = ({ status }: ServiceResponse) =>
  status < 300 || status >= 500 || leftOpen.has(status);

/**
 * Whether a write whose answer brought no record may have been done all the same: a refusal and a redirect say that it
 * was not, and what never arrived was not either. All else leaves it open.
 */
export const isOutcomeUnknown = (reply: ServiceResponse | NoResponse): boolean =>
  reply instanceof NoResponse ? reply.mayHaveArrived : isOpen(reply);

/**
 * Whether an action that failed may have been done all the same. It must not be done again before someone has looked.
 *
 * @param error what it failed with
 */
export const hasUnknownOutcome = (error: unknown): error is TelephonyError =>
  error instanceof TelephonyError && error.code === 'unknown-outcome';
