/** Why a number isn't sent, as the end of the error that shows it as it was entered. */
const code =
  ', which has no country code. Enter it with its country code, such as +12025550143, or check "Default country" in the settings.';
const invalid = ', which is not a valid phone number. Check its digits and its country code.';
const shortened =
  ', which a spreadsheet has shortened. Format the column as text, and enter all digits of the number.';
const several =
  ', which is not one phone number. Enter one number with its country code, such as +12025550143, and nothing else.';

/** The error of a number that isn't certain. */
export const uncertain = { code, invalid, shortened, several };

const zeros = (number: string) => `. Write + instead of the leading 00: +${number}.`;

/**
 * How people, spreadsheets, pastes and contact lists write phone numbers: with which default country, what is entered, and what is sent. An
 * expectation without a leading plus sign is the end of the error. A number is what a spreadsheet hands over from a column of numbers.
 */
export const phoneSpellings: [country: string, entered: string | number, expected: string][] = [
  // Spreadsheets: decimals, numbers, exponents, and what keeps a number as text.
  ['AT', '436641234567.0', '+436641234567'],
  ['AT', '436641234567,00', '+436641234567'],
  ['AT', 436641234567, '+436641234567'],
  ['AT', 6641234567, '+436641234567'],
  ['AT', '6641234567.0', '+436641234567'],
  ['AT', 436641234567.5, several],
  ['AT', '436641234567.8', several],
  ['AT', '4.36641E+11', shortened],
  ['AT', '4,36641234567E+11', shortened],
  ['AT', '123E+9', shortened],
  ['US', '12025550143.0', '+12025550143'],
  ['US', '12025550143.00', '+12025550143'],
  ['US', 2025550143, '+12025550143'],
  ['', '+49301234567.0', '+49301234567'],
  ['', '12025550143.0', code],
  ['', "'+12025550143", '+12025550143'],
  ['', '"+12025550143"', '+12025550143'],
  ['', '="+12025550143"', '+12025550143'],
  ['', '’+442079460000', '+442079460000'],
  ['', '+12025550143,', '+12025550143'],
  ['GB', 7400123456.0, '+447400123456'],
  // A zero or a plus sign may be missing here: either number could be meant.
  ['DE', '4915123456789.0', code],
  // One without its zero, or one that lacks its plus sign and a digit.
  ['DE', 4932123456, code],
  ['DE', '49 151 2345678', code],
  ['DE', '49170123456', code],
  ['DE', 49151234567, code],
  ['DE', 4916012345, code],
  ['DE', 492211234567, code],
  ['AT', '4915123456789', code],
  ['IT', '33612345678', code],
  ['IT', '3906698200', code],
  ['BE', 470123456, '+32470123456'],
  // Pastes: invisible characters, other signs and digits, links.
  ['', '+43\u200b664\u200c1234567\u200d', '+436641234567'],
  ['', '\ufeff+43 664\u2060 1234567', '+436641234567'],
  ['', '+43\u00ad664\u061c1234567\ufe0f', '+436641234567'],
  ['', '\u202a+1 (202) 555\u20110143\u202c', '+12025550143'],
  ['', '+1\u2212202\u2212555\u22120143', '+12025550143'],
  ['', '＋４４ ２０ ７９４６ ００００', '+442079460000'],
  ['', '+٩٧١٥٠١٢٣٤٥٦٧', '+971501234567'],
  ['', 'tel:+1-202-555-0143', '+12025550143'],
  ['AT', 'tel:0664-1234567', '+436641234567'],
  ['', 'Mobile: +43 664 1234567', '+436641234567'],
  ['', '+1\u00a0202\u2009555\u202f0143', '+12025550143'],
  ['', '+12025550143²', several],
  // Lists of contacts: zeros in brackets, slashes, national numbers, other countries.
  ['', '+44 (0)20 7946 0000', '+442079460000'],
  ['', '+44(0)7700 900123', '+447700900123'],
  ['', '(+44) 20 7946 0000', '+442079460000'],
  ['', '+4402079460000', '+442079460000'],
  ['', '+43 (0)664/1234567', '+436641234567'],
  ['', '+39 (0)6 6982 0000', '+390669820000'],
  ['', '+39 06 6982 0000', '+390669820000'],
  ['', '+1 (0)202 555 0143', invalid],
  ['', '+34 (0)612 345 678', invalid],
  ['AT', '0664/1234567', '+436641234567'],
  ['AT', '0043 664 / 123 45 67', '+436641234567'],
  ['', '+43/664/1234567', '+436641234567'],
  ['', '0664/1234567', code],
  ['', '0043 664 1234567', zeros('436641234567')],
  ['DE', '030/1234567', '+49301234567'],
  ['DE', '(0151) 234 567 89', '+4915123456789'],
  ['DE', '+49 30 1234567-0', '+493012345670'],
  ['DE', '+49 30 1234567.0', several],
  ['GB', '020 7946 0000', '+442079460000'],
  ['GB', '07700 900123', '+447700900123'],
  ['AT', '01 4000', '+4314000'],
  ['FR', '06.12.34.56.00', '+33612345600'],
  ['FR', '06 12 34 56 78', '+33612345678'],
  ['IT', '06 6982 0000', '+390669820000'],
  ['IT', '333 123 4567', '+393331234567'],
  ['CH', '079 123 45 67', '+41791234567'],
  ['ES', '612 34 56 78', '+34612345678'],
  ['PL', '512 345 678', '+48512345678'],
  ['NL', '06-12345678', '+31612345678'],
  ['AU', '0412 345 678', '+61412345678'],
  ['AU', '0011 44 20 7946 0000', '+442079460000'],
  ['IN', '98765 43210', '+919876543210'],
  ['CN', '138 1234 5678', '+8613812345678'],
  ['JP', '090-1234-5678', '+819012345678'],
  ['BR', '(11) 91234-5678', '+5511912345678'],
  ['RU', '8 (495) 123-45-67', '+74951234567'],
  ['US', '(202) 555-0143', '+12025550143'],
  ['US', '202.555.0143', '+12025550143'],
  ['US', '1 202 555 0143', '+12025550143'],
  ['US', '011 44 20 7946 0000', '+442079460000'],
  ['US', '323 555 0143', '+13235550143'],
  ['US', '123456789', code],
  ['', '+52 1 55 1234 5678', '+5215512345678'],
  ['', '2025550143', code],
  // Typing errors, and more than one number.
  ['', '+1 202 555 014', invalid],
  ['', '+1 202 555 01433', invalid],
  ['', '+999 123 456 789', invalid],
  ['', '+1202555O143', several],
  ['', '+12025550143 +12025550144', several],
  ['US', '(202) 555-0143, (202) 555-0144', several],
  ['US', '2025550143;2025550144', several],
  ['AT', '0664 1234567 / 0676 7654321', code],
  ['', '+43 664 1234567\n+43 676 7654321', several],
  ['DE', '030 1234567/68', several],
  ['AT', '+43 664 1234567 (12)', several],
  ['AT', '0664 1234567 (2)', several],
  ['DE', '030 123456 [1 2]', several],
  ['AT', '+43 (6641234567)', '+436641234567'],
  ['AT', '0664 (1234567)', '+436641234567'],
  // Cells of another column, and prefixes and zeros too many.
  ['AT', '01.05.2024', several],
  ['DE', '2024-05-01', several],
  ['AT', '1/31/2026', several],
  ['AT', '+43 0043 664 1234567', invalid],
  ['IT', '+39 (0)312 3456789', invalid],
  ['IT', '+39 (0)6 69812345', '+390669812345'],
  ['DE', '030 12345/67890', code],
  ['', '+1 202 555 0143 ext. 5', several],
  ['US', '202-555-0143 x12', several],
  ['', '+1 202 555 0143#5', several],
  ['', '+12025550143,,5', several],
  ['', 'tel:+1-202-555-0143;ext=5', several],
  ['', 'Ada +12025550143', several],
  ['US', '1-800-FLOWERS', several],
  ['AT', '-436641234567', several],
  // Channels, and what isn't a phone number.
  ['', 'WhatsApp: +44 (0)20 7946 0000', 'whatsapp:+442079460000'],
  ['AT', 'whatsapp:0664/1234567', 'whatsapp:+436641234567'],
  ['', 'whatsapp:+5215512345678', 'whatsapp:+5215512345678'],
  ['', 'whatsapp:+12025550143 ext. 5', several],
  ['US', 'client:2025550143', 'client:2025550143'],
  ['US', 'messenger:1234567890', 'messenger:1234567890'],
  ['US', 'sip:+1202@a-b.example.com', 'sip:+1202@a-b.example.com'],
  ['US', '50143', '50143'],
  ['US', '501-43', '50143'],
  ['US', 50143.0, '50143'],
  ['US', '50143.0', '50143'],
];

/** A spelling of the table. */
export interface Spelling {
  /** The default country; empty if there is none. */
  country: string;
  entered: string | number;
  expected: string;
  /** A name that no other spelling has. */
  name: string;
}

export const spellings = phoneSpellings.map(
  ([country, entered, expected], index): Spelling => ({
    ...{ country, entered, expected },
    name: `Spelling ${index}.`,
  }),
);

/** The default countries of the spellings. */
export const countries = [...new Set(spellings.map(({ country }) => country))];

export const spellingsIn = (country: string): Spelling[] =>
  spellings.filter((one) => one.country === country);

/** Whether a number is sent, not refused. */
export const isSentNumber = (expected: string): boolean => /^(\+|\d|[a-z]+:)/.test(expected);

/** Why a number isn't sent, as the part that is equal in every builder: each says in its own words where the default country is set. */
const refusal = (expected: string): unknown =>
  expect.stringContaining(expected.split(/(?<=.)\. /)[0] ?? '');

/** A filter finds what records have: a number that may lack its country code is looked up as it is. */
export const isFilterError = (expected: string): boolean =>
  expected === shortened || expected === several;

/** What a field or a row of a batch makes of each spelling, by its name: the number that is sent, or the error. */
export const sentBySpelling = (all: Spelling[]): Record<string, unknown> =>
  Object.fromEntries(
    all.map(({ name, expected }) => [name, isSentNumber(expected) ? expected : refusal(expected)]),
  );

/** What a filter makes of each spelling, by its name: the number that the service is asked for, or the error. */
export const askedBySpelling = (all: Spelling[]): Record<string, unknown> =>
  Object.fromEntries(
    all.map(({ name, entered, expected }) => {
      const asked = isSentNumber(expected) ? expected : String(entered);
      return [name, isFilterError(expected) ? refusal(expected) : asked];
    }),
  );

/** Does the same with each spelling, one after the other. Resolves to the results or errors by the names of the spellings. */
export async function withEach(
  all: Spelling[],
  work: (spelling: Spelling) => Promise<string | undefined>,
): Promise<Record<string, string | undefined>> {
  const results: [string, string | undefined][] = [];
  for (const one of all)
    results.push([one.name, await work(one).catch((error) => String(error.message))]);
  return Object.fromEntries(results);
}

type Requests = { method: string; query: string; body: string }[];

/**
 * Does work, and returns a parameter of the last request that it sent, whatever the service answered.
 *
 * @param requests those that the service received
 * @throws the error of work that sent none
 */
export async function sentParameter(
  requests: Requests,
  name: string,
  work: () => Promise<unknown>,
): Promise<string | undefined> {
  requests.length = 0;
  let failure: unknown;
  await work().catch((error) => {
    failure = error;
  });
  const last = requests.at(-1);
  if (!last && failure) throw failure;
  return new URLSearchParams(last?.body || last?.query).get(name) ?? undefined;
}
