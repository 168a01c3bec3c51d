const notDialled = /[\p{Zs}\t.()[\]\-\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text without what people write or paste between the digits of a number. */
export const withoutMarks = (text: string): string => text.replace(notDialled, '');

/** An address of a channel that is a number, such as `whatsapp:+12025550143`. */
const channelNumber = /^([a-z]+:)(\+\d+)$/i;

/** Turns a phone number, as typed, into the form in which it is sent and compared. */
export type CleanPhone = (text: string) => string;

/**
 * A phone number without what people write or paste around its digits: `+1 (415) 555-0100` is `+14155550100`.
 * Without a plus sign it can be anything the service knows, such as a sender's name, and stays as it is. A number of a channel,
 * `whatsapp:+1 (415) 555-0100`, is `whatsapp:+14155550100`.
 *
 * @param text the number, as typed
 */
export function cleanPhone(text: string): string {
  const dialled = withoutMarks(text);
  const [, channel, number] = channelNumber.exec(dialled) ?? [];
  if (channel && number) return channel.toLowerCase() + number;
  return dialled.startsWith('+') ? dialled : text;
}
