import { withoutMarks } from './clean-phone.ts';

/** Fewer digits without a country code are a short code: the end of many numbers. */
const fewestNational = 8;

// A name may have marks of its own.
function comparable(text: string): string {
  const digits = /^\+?(\d+)$/.exec(withoutMarks(text))?.[1];
  return digits ?? text.toLowerCase();
}

/**
 * Whether a record is of the number that was asked for. The plus sign may be missing on either side, and a number that was
 * typed without its country code is the one of any country: the service knows which was meant. What stands between the digits
 * says nothing.
 *
 * @param asked the number, as it was sent
 * @param found the number in a record
 */
export function samePhone(asked: string, found: string): boolean {
  const [wanted, held] = [comparable(asked), comparable(found)];
  if (wanted === held) return true;
  const national = /^0*([1-9]\d*)$/.exec(withoutMarks(asked))?.[1] ?? '';
  return national.length >= fewestNational && held.endsWith(national);
}
