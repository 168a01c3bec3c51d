import type { Json } from '../text/json.ts';

/** A fault has a few hundred characters. In a much longer text, the search for its end would be slow. */
const maxLength = 10_000;

const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff;

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, ten, hex, name) => {
    const code = ten ? Number(ten) : Number.parseInt(hex, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : (characters[name] ?? whole);
  });
}

/** The contents of the elements that contain only text, by their names in JSON. */
function textsIn(xml: string): Json {
  const elements = [...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
  return Object.fromEntries(
    elements.map(([, name = '', text = '']) => [name.toLowerCase(), unescaped(text)]),
  );
}

/**
 * Parses a fault in XML, which the service sends if it can't tell that the request was for JSON.
 *
 * @returns the fault as it would be in JSON; undefined for any other text
 */
export function readXmlFault(text: string): Json | undefined {
  const [, fault] = /<RestException>(.*?)<\/RestException>/s.exec(text.slice(0, maxLength)) ?? [];
  return fault === undefined ? undefined : textsIn(fault);
}
