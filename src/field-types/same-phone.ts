import { withoutMarks } from './clean-phone.ts';

/** Fewer digits without a country code are a short code: the end of many numbers. */
const fewestNational = 8;

/**
 * What can stand before a national number: a country code (ITU-T E.164), and where it is kept from abroad, or for mobiles, a 0, 1 or 9.
 * None is the beginning of another one: +91 2025550143 is not the 12025550143 of a country 9.
 */
const countryCode =
  /^(?:(?:[17]|2(?:[07]|[1-689]\d)|3(?:[0-469]|[578]\d)|4(?:[013-9]|2\d)|5(?:[1-8]|[09]\d)|6(?:[0-6]|[789]\d)|8(?:[1246]|[035789]\d)|9(?:[0-58]|[679]\d))[019]?)?$/;

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
  if (national.length < fewestNational || !held.endsWith(national)) return false;
  return countryCode.test(held.slice(0, -national.length));
}
