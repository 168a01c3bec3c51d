// GSM 03.38: a character of the basic alphabet takes one 7-bit unit, one of the extension table two.
const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const EXTENSION = new Set('\f^{}\\[~]|€');

const GSM_7 = { alone: 160, joined: 153 };
const UCS_2 = { alone: 70, joined: 67 };

/** The number of segments of a text: in GSM-7, or in UCS-2 if one character needs it. */
export function segmentCount(body: string): number {
  const characters = [...body];
  const gsm = characters.every((one) => BASIC.has(one) || EXTENSION.has(one));
  const limit = gsm ? GSM_7 : UCS_2;
  const widths = characters.map((one) => (EXTENSION.has(one) && gsm ? 2 : one.length));
  const total = widths.reduce((sum, width) => sum + width, 0);
  return total <= limit.alone ? 1 : filled(widths, limit.joined);
}

/** No character of two units is split, so a segment can end one unit early. */
function filled(widths: readonly number[], limit: number): number {
  let [segments, used] = [1, 0];
  for (const width of widths) {
    if (used + width > limit) [segments, used] = [segments + 1, 0];
    used += width;
  }
  return segments;
}
