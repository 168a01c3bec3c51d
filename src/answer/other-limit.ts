import { definitions } from '../../generated/definitions.ts';
import type { TelephonyError } from '../telephony-error.ts';

const others = new Set<unknown>(
  definitions.errors.filter(({ otherLimit }) => otherLimit).map(({ code }) => code),
);

/**
 * Whether the service refused a request by a limit of something else than of requests, such as of messages in a day: whatever
 * else is asked of the account may be sent.
 */
export const isOtherLimit = ({ serviceCode }: TelephonyError): boolean => others.has(serviceCode);
