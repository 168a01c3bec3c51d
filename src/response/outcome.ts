import { TelephonyError } from '../telephony-error.ts';
import { NoResponse } from '../wire/exchanged.ts';
import type { ServiceResponse } from '../wire/send-request.ts';

/**
 * A 303 redirects to the result of a request that was processed (RFC 9110, 15.4.4). Gateways send 408 and 499 after they have forwarded
 * the request: it timed out, or the client no longer waited.
 */
const ambiguousStatuses = new Set([303, 408, 499]);

const isAmbiguous = ({ status }: ServiceResponse) =>
  status < 300 || status >= 500 || ambiguousStatuses.has(status);

/**
 * Whether an action may have succeeded although there is no record in the response. It didn't if the service refused or redirected it, or
 * if it was never sent.
 */
export const isOutcomeUnknown = (response: ServiceResponse | NoResponse): boolean =>
  response instanceof NoResponse ? response.mayHaveArrived : isAmbiguous(response);

/**
 * Whether a failed action may have succeeded. Check the service's log before you run it again.
 *
 * @param error the error of the action
 */
export const hasUnknownOutcome = (error: unknown): error is TelephonyError =>
  error instanceof TelephonyError && error.code === 'unknown-outcome';
