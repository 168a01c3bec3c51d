import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { type CleanPhone, cleanPhone, withoutMarks } from './clean-phone.ts';
import { isNational } from './national-number.ts';

/** The number in its international form; undefined where the country has no such number. */
function international(dialled: string, country: CountryCode): string | undefined {
  const [own, abroad] = [
    parsePhoneNumberFromString(dialled, country),
    // In some countries people dial another prefix, but write this one.
    dialled.startsWith('00') ? parsePhoneNumberFromString(`+${dialled.slice(2)}`) : undefined,
  ];
  return [own, abroad].find((number) => number?.isValid())?.number;
}

/**
 * Cleans phone numbers and completes those without a country code: with the country US, `(202) 555-0143` becomes
 * `+12025550143`. Short codes, names and addresses stay as they are.
 *
 * @param country the two-letter code of the default country; without one, no number is completed
 */
export function phoneCleaner(country: string | undefined): CleanPhone {
  if (!country || !isSupportedCountry(country)) return cleanPhone;
  return (text) => {
    const number = isNational(text) ? international(withoutMarks(text), country) : undefined;
    return number ?? cleanPhone(text);
  };
}

/** Whether a text is the two-letter code of a country whose numbers can be completed. */
export const isCountry = (code: string): boolean => isSupportedCountry(code);
