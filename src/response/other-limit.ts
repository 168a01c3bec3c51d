import { definitions } from '../../generated/definitions.ts';
import type { TelephonyError } from '../telephony-error.ts';

const otherLimitCodes = new Set<unknown>(
  definitions.errors.filter(({ otherLimit }) => otherLimit).map(({ code }) => code),
);

/**
 * Whether a request exceeded another limit than that of requests, such as the messages per day. Other requests of the account may still
 * be sent.
 */
export const isOtherLimit = ({ serviceCode }: TelephonyError): boolean =>
  otherLimitCodes.has(serviceCode);
