import { withoutMarks } from './clean-phone.ts';

/** Fewer digits are a short code, which has no country code. */
const fewestDigits = 7;

/** Whether a text looks like a phone number that lacks its country code, or only the plus sign before it. */
export const isNational = (text: string): boolean => {
  const digits = withoutMarks(text);
  return /^\d+$/.test(digits) && digits.length >= fewestDigits;
};
