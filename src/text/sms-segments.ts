import type { Field } from '../../generated/definition-types.ts';
import { type Sentence, sentence } from './sentence.ts';

/** The number of SMS as which a text is sent and charged, and the space in the last one. */
export interface SmsSegments {
  /** GSM-7, or UCS-2 if the text has a character that GSM-7 lacks. */
  alphabet: 'GSM-7' | 'UCS-2';
  segments: number;
  /** The units left in the last SMS. A character takes one or two units in GSM-7, and usually one in UCS-2. */
  left: number;
}

/** Whether a field is the text of an SMS. Forms count its segments while the user types; spoken texts have none. */
export const isSmsText = ({
  type,
  multiline,
  maxValues,
}: Pick<Field, 'type' | 'multiline' | 'maxValues'>): boolean =>
  type === 'text' && multiline === true && maxValues === undefined;

/** The text of the counter next to the field. */
export const smsCount = (counted: Record<keyof SmsSegments, string | number>): Sentence =>
  sentence('{segments} SMS, {left} characters left ({alphabet})', { ...counted });

/**
 * Counts the SMS of a text, with the alphabet of 3GPP TS 23.038 and the lengths of TS 23.040: 160 units of GSM-7, or 153 per SMS of a
 * joined message; 70 or 67 units of UCS-2. Uses nothing outside of itself, because builders embed its source in their pages.
 */
export function smsSegments(text: string): SmsSegments {
  const basic =
    '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
  const extended = '\f^{}\\[~]|€';
  const characters = typeof text === 'string' ? Array.from(text) : [];
  const isGsm = characters.every((one) => basic.includes(one) || extended.includes(one));
  const [alone, joined] = isGsm ? [160, 153] : [70, 67];
  let total = 0;
  let segments = 1;
  let used = 0;
  for (const one of characters) {
    const width = isGsm ? 1 + Number(extended.includes(one)) : one.length;
    total += width;
    // A character isn't split across two SMS.
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
