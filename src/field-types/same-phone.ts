import { type CleanPhone, cleanPhone, withoutMarks } from './clean-phone.ts';

// A name may have marks of its own, and upper or lower case makes no other one of it.
function comparable(text: string): string {
  const dialled = withoutMarks(text);
  return /^\+?\d+$/.test(dialled) ? dialled : text.toLowerCase();
}

/**
 * Whether a record is of the number that was asked for: its whole number, never its ending. A service may leave out the plus
 * sign of a number in its records. What stands between the digits says nothing.
 *
 * @param asked the number, as it was sent
 * @param found the number in a record
 * @param clean the form in which numbers are compared, which can complete national numbers
 */
export function samePhone(asked: string, found: string, clean: CleanPhone = cleanPhone): boolean {
  const wanted = comparable(clean(asked));
  return [clean(found), found].some((number) => {
    const held = comparable(number);
    return wanted === held || (wanted === `+${held}` && /^\d/.test(held));
  });
}
