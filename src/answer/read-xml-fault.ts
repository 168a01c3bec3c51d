import type { Json } from './json.ts';

/** A fault has a few hundred characters. To look for an end that is not there takes longer than to read it. */
const longest = 10_000;

const characters: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const isCharacter = (code: number) => code > 0 && code <= 0x10ffff;

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, ten, hex, name) => {
    const code = ten ? Number(ten) : Number.parseInt(hex, 16);
    return isCharacter(code) ? String.fromCodePoint(code) : (characters[name] ?? whole);
  });
}

/** The contents of the elements that hold only text, by their names in JSON. */
function textsIn(xml: string): Json {
  const elements = [...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)];
  return Object.fromEntries(
    elements.map(([, name = '', text = '']) => [name.toLowerCase(), unescaped(text)]),
  );
}

/**
 * The fault that the service says in XML, as it does where it does not know that JSON was asked for.
 *
 * @returns as it says it in JSON; undefined for any other text
 */
export function readXmlFault(text: string): Json | undefined {
  const [, fault] = /<RestException>(.*?)<\/RestException>/s.exec(text.slice(0, longest)) ?? [];
  return fault === undefined ? undefined : textsIn(fault);
}
