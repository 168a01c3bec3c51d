import type { Field } from '../generated/definition-types.ts';

/** As how many SMS a text is sent and charged, and how much fits into the last of them. */
export interface SmsSegments {
  /** GSM-7, or UCS-2 as soon as one character is not in it. */
  alphabet: 'GSM-7' | 'UCS-2';
  segments: number;
  /** In units of the alphabet: a character of GSM-7 takes one or two, one of UCS-2 mostly one. */
  left: number;
}

/** Whether a field takes the text of a message, whose SMS are counted as someone types. Spoken texts have none. */
export const isSmsText = ({ type, multiline }: Pick<Field, 'type' | 'multiline'>): boolean =>
  type === 'text' && multiline === true;

/** What is said of it beside the text. It uses nothing outside of itself, as `smsSegments` does. */
export const smsCount = ({ alphabet, segments, left }: SmsSegments): string =>
  `${segments} SMS, ${left} characters left (${alphabet})`;

/**
 * Counts the SMS that a text becomes, by the alphabet of 3GPP TS 23.038 and the lengths of TS 23.040: 160 units, or 153 where
 * several are joined; of UCS-2 70, or 67. It uses nothing outside of itself, since pages of builders hold its source.
 *
 * @param text what is typed
 */
export function smsSegments(text: string): SmsSegments {
  const basic =
    '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
  const extended = '\f^{}\\[~]|€';
  const characters = Array.from(text ?? '');
  const isGsm = characters.every((one) => basic.includes(one) || extended.includes(one));
  const [alone, joined] = isGsm ? [160, 153] : [70, 67];
  let total = 0;
  let segments = 1;
  let used = 0;
  for (const one of characters) {
    const width = isGsm ? 1 + Number(extended.includes(one)) : one.length;
    total += width;
    // No character is split over two of them.
    if (used + width > joined) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  const alphabet = isGsm ? 'GSM-7' : 'UCS-2';
  return total <= alone
    ? { alphabet, segments: 1, left: alone - total }
    : { alphabet, segments, left: joined - used };
}
