const marks = /[\p{Zs}\t.()[\]\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the characters that people write or paste between the digits of a number. */
export const withoutMarks = (text: string): string => text.replace(marks, '');

/** A number of a channel, such as `whatsapp:+12025550143`. */
const channelNumber = /^([a-z]+:)(\+\d+)$/i;

/** Converts an entered phone number to the form in which it is sent and compared. */
export type CleanPhone = (text: string) => string;

/**
 * Removes spaces, brackets and the like from a phone number: `+1 (415) 555-0100` becomes `+14155550100`, and `whatsapp:+1 (415) 555-0100`
 * becomes `whatsapp:+14155550100`. A text without a plus sign stays as it is, because it can be a sender's name or anything else that the
 * service knows.
 *
 * @param text the number, as entered
 */
export function cleanPhone(text: string): string {
  const unmarked = withoutMarks(text);
  const [, channel, number] = channelNumber.exec(unmarked) ?? [];
  if (channel && number) return channel.toLowerCase() + number;
  return unmarked.startsWith('+') ? unmarked : text;
}
