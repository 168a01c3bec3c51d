import { type CleanPhone, withoutMarks } from './clean-phone.ts';

const wholeNumber = /^\+\d+$/;

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
