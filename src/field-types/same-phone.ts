import { cleanPhone } from './clean-phone.ts';

/** Fewer digits without a country code are a short code: the end of many numbers. */
const fewestNational = 8;

const comparable = (text: string) => cleanPhone(text).replace(/^\+/, '').toLowerCase();

/**
 * Whether a record is of the number that was asked for. The plus sign may be missing on either side, and a number that was
 * typed without its country code is the one of any country: the service knows which was meant.
 *
 * @param asked the number, as it was sent
 * @param found the number in a record
 */
export function samePhone(asked: string, found: string): boolean {
  const [wanted, held] = [comparable(asked), comparable(found)];
  if (wanted === held) return true;
  const national = /^0*([1-9]\d*)$/.exec(asked)?.[1] ?? '';
  return national.length >= fewestNational && held.endsWith(national);
}
