const notDialled = /[\p{Zs}\t.()[\]\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text without what people write or paste between the digits of a number. */
export const withoutMarks = (text: string): string => text.replace(notDialled, '');

/** Turns a phone number, as typed, into the form in which it is sent and compared. */
export type CleanPhone = (text: string) => string;

/**
 * A phone number without what people write or paste around its digits: `+1 (415) 555-0100` is `+14155550100`.
 * Without a plus sign it can be anything the service knows, such as a sender's name, and stays as it is.
 *
 * @param text the number, as typed
 */
export function cleanPhone(text: string): string {
  const dialled = withoutMarks(text);
  return dialled.startsWith('+') ? dialled : text;
}
