import { withoutMarks } from './clean-phone.ts';

/** A number with fewer digits is a short code, which has no country code. */
const minDigits = 7;

/** Whether a text looks like a phone number without its country code, or without the plus sign. */
export const isNational = (text: string): boolean => {
  const digits = withoutMarks(text);
  return /^\d+$/.test(digits) && digits.length >= minDigits;
};
