import {
  type CountryCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString as parse,
  parseDigits,
} from 'libphonenumber-js/max';

const marks = /[\p{Zs}\t.()[\]\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the characters that people write or paste between the digits of a number. */
export const withoutMarks = (text: string): string => text.replace(marks, '');

/** Converts an entered phone number to the form in which it is sent and compared. It stays as it is if it isn't certain. */
export type CleanPhone = (text: string) => string;

/** A number with fewer digits is a short code, which has no country code. */
const minDigits = 7;

/** Whether a text looks like a phone number without its country code, or without the plus sign. */
export const isNational = (text: string): boolean => {
  const digits = withoutMarks(text);
  return /^\d+$/.test(digits) && digits.length >= minDigits;
};

/**
 * Why a phone number isn't certain. `national`: it has no country code, or could have one. `invalid`: no number of its country has these
 * digits. `shortened`: a spreadsheet rounded it. `unclear`: it is more than one number, has an extension or anything else besides.
 */
export type PhoneDoubt = 'national' | 'invalid' | 'shortened' | 'unclear';

/** What was entered as a phone number. */
export interface PhoneReading {
  /** The number in its international form, a short code, a name or an address; as entered if it isn't certain. */
  text: string;
  doubt?: PhoneDoubt;
}

const doubted = (text: string, doubt: PhoneDoubt): PhoneReading => ({ text, doubt });

/** Characters without width, such as those that pages put around numbers. */
const invisible = /\p{Cf}|[\ufe00-\ufe0f]/gu;
const fullWidth = /[\uff01-\uff5e]/g;
const quotes = `'"\`´‘’‚‛“”„«»‹›`;
/** The quotes and the equals sign by which a spreadsheet keeps a number as text, and what else a list leaves around it. */
const wrapping = new RegExp(`^=?[${quotes}\\s]+|[${quotes}\\s,;]+$`, 'g');
/** A link to a number, or its label in a list of contacts. */
const label = /^(?:tel|callto|sms|phone|mobile|cell)\.?:\s*/i;

/** Removes what isn't part of a number at its ends, and writes all digits alike. */
const unwrapped = (text: string) =>
  text
    .replace(invisible, '')
    .replace(fullWidth, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, (digit) => parseDigits(digit) || digit)
    .replace(wrapping, '')
    .replace(label, '');

const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;

const maxSenderName = 11;

/** Whether a text with letters is a name, not a number with something besides. */
function isName(text: string): boolean {
  if (scientific.test(text)) return false;
  const hasNumber = parseDigits(text).length >= minDigits;
  if (/^\p{L}/u.test(text)) return !hasNumber || text.length <= maxSenderName;
  return !hasNumber && text.length <= maxSenderName;
}

const scheme = /^([a-z]+:)\s*(.*)$/is;
const whatsappNumber = /^whatsapp:[^\p{L}]*$/iu;

/** Divides `whatsapp:+12025550143` into the channel and the number. Other addresses aren't numbers, even if they have only digits. */
function channelNumber(text: string): [channel: string, number: string] {
  const [, channel = '', address = ''] = scheme.exec(text) ?? [];
  const isNumber = /^[([]?\+[\d\s(][^@]*$/.test(address) || whatsappNumber.test(text);
  return channel && isNumber ? [channel.toLowerCase(), address] : ['', text];
}

const isAddress = (text: string) =>
  text.includes('@') ||
  scheme.test(text) ||
  !/\d/.test(text) ||
  (/\p{L}/u.test(text) && isName(text));

/** A spreadsheet's decimals of a whole number. */
const decimals = /^(\+?\d+)[.,]0+$/;
const written = /^[([]?\+?[\d([][\d\p{Zs}\t.()[\]/\p{Pd}\u2212]*$/u;
/** What may begin decimals, an extension or other last digits: `030 1234567/68` is two numbers. */
const unclearEnd =
  /\d{7}\.\d|\.\d$|^[^.]*\.0+$|\/\D*(?:\d\D*){1,3}$|\d\D*[([]\D*(?:\d\D*){1,4}[)\]]$/;
const month = '(?:0?[1-9]|1[0-2])';
const dayOfMonth = '(?:0?[1-9]|[12]\\d|3[01])';
/** A date, such as that of another column. */
const date = new RegExp(
  `^(?:${dayOfMonth}([./-])${month}\\1|${month}([./-])${dayOfMonth}\\2)(?:19|20)\\d\\d$|^(?:19|20)\\d\\d([./-])${month}\\3${dayOfMonth}$`,
);
/** No number or address is longer. Reading more would take long. */
const maxLength = 255;

const maxAreaDigits = 5;

/** Whether a slash can divide two numbers, as in `030 12345/67890`, because it isn't behind the country or the area code. */
function dividesNumbers(written: string, { nationalNumber }: PhoneNumber): boolean {
  const [first, ...others] = written.replace(/^(\+|00)(\d{1,3})\//, '$1$2').split('/');
  if (first === undefined || others.length === 0) return false;
  const local = parseDigits(others.join()).length;
  const area = nationalNumber.length - local;
  return others.length > 1 || area < 1 || area > maxAreaDigits;
}

/** The service still reports mobile numbers of Mexico with the 1 that they had until 2019. */
const formerMobile = /^\+521\d{10}$/;

/**
 * Reads a number with a plus sign. Its digits stay as they are, except a zero of its national form, as in `+44 (0)20 …`. Whether it is in use
 * isn't checked, because the library doesn't know the newest numbers.
 */
function international(digits: string, hasZero: boolean): PhoneNumber | undefined {
  const number = parse(digits);
  if (!number) return undefined;
  const { countryCallingCode: code, nationalNumber } = number;
  const isWhole = number.number === digits && !hasZero;
  // A second zero is that of an international prefix: `+43 0043 664 …`.
  if (isWhole || (digits === `+${code}0${nationalNumber}` && !nationalNumber.startsWith('0')))
    return number.isPossible() || formerMobile.test(digits) ? number : undefined;
  // In Italy, `+39 (0)3…` can be a landline, or a mobile number with a zero too many.
  const isAmbiguous = hasZero && parse(digits.replace(`+${code}0`, `+${code}`))?.isValid();
  return number.isValid() && !(isAmbiguous && nationalNumber.startsWith('0')) ? number : undefined;
}

function valid(digits: string, country?: CountryCode): PhoneNumber | undefined {
  const number = parse(digits, country);
  // Voicemail has numbers as long as foreign ones whose plus sign is missing.
  return number?.isValid() && number.getType() !== 'VOICEMAIL' ? number : undefined;
}

/** Whether a number without a zero and a plus sign can only be the one that it was completed to. */
function isUnrivalled(digits: string, number: PhoneNumber): boolean {
  const { countryCallingCode: code } = number;
  const isNationalForm = parseDigits(number.formatNational()) === digits;
  // A number that lacks its plus sign and a digit isn't valid, and no other number either: `49 151 2345678`.
  const withPlus = isNationalForm ? undefined : parse(`+${digits}`);
  if (withPlus?.countryCallingCode === code && withPlus.isPossible())
    return withPlus.number === number.number;
  return [`+${digits}`, `+${code}${digits}`].every((one) => {
    const rival = valid(one);
    return (
      !rival ||
      rival.number === number.number ||
      (isNationalForm && rival.countryCallingCode !== code)
    );
  });
}

/** Completes a number without a plus sign; undefined if it isn't certainly a number of the country. */
function national(digits: string, country: CountryCode): PhoneNumber | undefined {
  const number = valid(digits, country);
  // People write 00 even in countries where they dial another prefix.
  if (digits.startsWith('00')) return number ?? international(`+${digits.slice(2)}`, false);
  if (!digits.startsWith('0')) return number && isUnrivalled(digits, number) ? number : undefined;
  const possible = parse(digits, country);
  const isWhole = digits === `0${possible?.nationalNumber}` && possible?.isPossible();
  return isWhole ? possible : number;
}

function readNumber(text: string, country?: CountryCode): PhoneReading {
  const whole = decimals.exec(text)?.[1] ?? text;
  if (scientific.test(whole)) return doubted(text, 'shortened');
  if (!written.test(whole) || unclearEnd.test(whole) || date.test(whole))
    return doubted(text, 'unclear');
  const digits = parseDigits(whole);
  const hasPlus = whole.includes('+');
  if (!hasPlus && digits.length < minDigits && !digits.startsWith('0')) return { text: digits };
  if (!hasPlus && !country) return doubted(text, 'national');
  const number = hasPlus
    ? international(`+${digits}`, /\(\s*0\s*\)/.test(whole))
    : country && national(digits, country);
  if (!number) return doubted(text, hasPlus ? 'invalid' : 'national');
  return dividesNumbers(whole, number) ? doubted(text, 'unclear') : { text: number.number };
}

/**
 * Decides what an entered phone number is, however a person, a spreadsheet or a list writes it: with spaces and brackets, invisible
 * characters, quotes, `tel:`, or the decimals of `12025550143.0`. A number never becomes another one: what isn't certain stays as it was
 * entered, and says so. Short codes, names and addresses, such as `ACME` and `sip:alice@example.com`, stay as they are.
 *
 * @param entered the number, as entered
 * @param country the two-letter code of the country whose national numbers are completed; without one, none are
 */
export function readPhone(entered: string, country?: string): PhoneReading {
  if (entered.length > maxLength) return doubted(entered, 'unclear');
  const [channel, text] = channelNumber(unwrapped(entered));
  if (!channel && isAddress(text)) return { text: entered.replace(invisible, '') };
  const plan = country && isSupportedCountry(country) ? country : undefined;
  const { text: number, doubt } = readNumber(text, plan);
  return doubt ? { text: entered, doubt } : { text: channel + number };
}

export const cleanPhone: CleanPhone = (entered) => readPhone(entered).text;

/**
 * Returns a function that cleans phone numbers and completes those without a country code: with the country US, `(202) 555-0143` becomes
 * `+12025550143`.
 *
 * @param country the two-letter code of the default country; without one, no number is completed
 */
export const phoneCleaner =
  (country: string | undefined): CleanPhone =>
  (entered) =>
    readPhone(entered, country).text;

const wholeNumber = /^\+\d+$/;

const hasPrefix = /^\D*0|\+/;

/**
 * Whether the parts of a text are certainly numbers of their own. One without a plus sign and a zero can be the end of the number before, or lack its area code,
 * unless it is as long as the others: `030 1234567, 8901234`.
 */
function areNumbers(parts: string[], clean: CleanPhone): boolean {
  const numbers = parts.map(clean);
  const lengths = new Set(numbers.map(({ length }) => length));
  return (
    numbers.every((one) => wholeNumber.test(withoutChannel(one)) && !readPhone(one).doubt) &&
    (lengths.size === 1 || parts.every((part) => hasPrefix.test(part)))
  );
}

/**
 * Returns the phone numbers of a list, cleaned and each once: of an array, or of a text that divides them by commas, semicolons or lines. A text stays whole unless
 * each of its parts is certainly a number, because it can be one number with an extension or decimals.
 */
export function listedPhones(entered: unknown, clean: CleanPhone): unknown[] {
  const all = [entered].flat(Number.POSITIVE_INFINITY).flatMap((one) => {
    if (typeof one === 'number') return clean(String(one));
    if (typeof one !== 'string') return one;
    const parts = one.split(/[,;\n]/).map((part) => part.trim());
    const given = parts.filter((part) => part !== '');
    return given.length > 0 && areNumbers(given, clean) ? given.map(clean) : clean(one.trim());
  });
  return [...new Set(all)];
}

/** Returns a number without the channel that it is reached by, such as `whatsapp:`. */
export const withoutChannel = (number: string): string => channelNumber(number)[1];

/** Returns the two-letter code of a number's country; undefined if it has none, such as a short code. */
export const countryOf = (number: string): string | undefined => parse(number)?.country;

/** Whether a text is the two-letter code of a country whose phone numbers can be completed. */
export const isCountry = (code: string): boolean => isSupportedCountry(code);

// Names keep their punctuation, but not their case.
function normalize(text: string): string {
  const number = withoutMarks(text);
  return /^\+?\d+$/.test(number) ? number : text.toLowerCase();
}

/**
 * Returns a function that says whether a record has one of the wanted phone numbers. Compares whole numbers, never endings. A service may
 * leave out the plus sign in its records.
 *
 * @param wanted the numbers, as they were sent
 * @param clean converts numbers to the form in which they are compared; can complete national ones
 */
export function phoneMatcher(
  wanted: string[],
  clean: CleanPhone = String,
): (found: string) => boolean {
  // Most are whole numbers already, and cleaning takes longer than reading a record.
  const cleaned = (text: string) => (wholeNumber.test(text) ? text : clean(text));
  const normalized = new Set(wanted.map((one) => normalize(cleaned(one))));
  return (found) =>
    [cleaned(found), found].some((number) => {
      const other = normalize(number);
      return normalized.has(other) || (/^\d/.test(other) && normalized.has(`+${other}`));
    });
}

/** Whether a record has the wanted phone number. */
export const samePhone = (wanted: string, found: string, clean?: CleanPhone): boolean =>
  phoneMatcher([wanted], clean)(found);

const longestCountryCode = 3;

/**
 * Returns how a number can be stored, without the marks between its digits, so that a database finds it. Only texts that are this number for
 * certain; none if the entered text isn't a whole number.
 */
export function phoneSpellings(entered: string, clean: CleanPhone = cleanPhone): string[] {
  const number = clean(entered);
  if (!/^\+\d+$/.test(number)) return [];
  const digits = number.slice(1);
  const national = Array.from({ length: longestCountryCode }, (_, index) =>
    digits.slice(index + 1),
  );
  const all = [number, `00${digits}`, digits, ...national, ...national.map((one) => `0${one}`)];
  return [...new Set(all)].filter((one) => clean(one) === number);
}
