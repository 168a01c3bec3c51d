import { type CleanPhone, withoutMarks } from './clean-phone.ts';

const wholeNumber = /^\+\d+$/;

// Names keep their punctuation, but not their case.
function normalize(text: string): string {
  const number = withoutMarks(text);
  return /^\+?\d+$/.test(number) ? number : text.toLowerCase();
}

/**
 * Whether a record has the wanted phone number. Compares whole numbers, never endings. A service may leave out the plus sign in its
 * records.
 *
 * @param wanted the number, as it was sent
 * @param found the number in a record
 * @param clean converts numbers to the form in which they are compared; can complete national ones
 */
export function samePhone(wanted: string, found: string, clean: CleanPhone = String): boolean {
  // Most are whole numbers already, and cleaning takes longer than reading a record.
  const cleaned = (text: string) => (wholeNumber.test(text) ? text : clean(text));
  const normalized = normalize(cleaned(wanted));
  return [cleaned(found), found].some((number) => {
    const other = normalize(number);
    return normalized === other || (normalized === `+${other}` && /^\d/.test(other));
  });
}
