import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { type CleanPhone, cleanPhone, withoutMarks } from './clean-phone.ts';
import { isNational } from './national-number.ts';

/** Returns a number in its international form; undefined if it is valid neither in the country nor abroad. */
function toInternational(number: string, country: CountryCode): string | undefined {
  const [national, abroad] = [
    parsePhoneNumberFromString(number, country),
    // People write 00 even in countries where they dial another prefix.
    number.startsWith('00') ? parsePhoneNumberFromString(`+${number.slice(2)}`) : undefined,
  ];
  return [national, abroad].find((candidate) => candidate?.isValid())?.number;
}

/**
 * Returns a function that cleans phone numbers and completes those without a country code: with the country US, `(202) 555-0143` becomes
 * `+12025550143`. Short codes, names and addresses stay as they are.
 *
 * @param country the two-letter code of the default country; without one, no number is completed
 */
export function phoneCleaner(country: string | undefined): CleanPhone {
  if (!country || !isSupportedCountry(country)) return cleanPhone;
  return (text) => {
    const number = isNational(text) ? toInternational(withoutMarks(text), country) : undefined;
    return number ?? cleanPhone(text);
  };
}

/** Whether a text is the two-letter code of a country whose phone numbers can be completed. */
export const isCountry = (code: string): boolean => isSupportedCountry(code);
