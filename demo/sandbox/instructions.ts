/** One instruction of an app: an element of the TwiML that it answers. */
export interface Instruction {
  verb: string;
  attributes: Record<string, string>;
  text: string;
}

const UNESCAPED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|(\w+));/gi, (all, code?: string, name = '') =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (UNESCAPED[name] ?? all),
  );

const ELEMENT = /<(\w+)((?:\s+\w+="[^"]*")*)\s*(?:\/>|>(.*?)<\/\1>)/gs;
const ATTRIBUTE = /(\w+)="([^"]*)"/g;

/** What an app answers, in its order; nothing for what is no TwiML. */
export function instructionsIn(answer: string): Instruction[] {
  const [, content = ''] = /<Response>(.*)<\/Response>/s.exec(answer) ?? [];
  return [...content.matchAll(ELEMENT)].map(([, verb = '', attributes = '', text = '']) => ({
    verb,
    attributes: Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, value = '']) => [name, unescaped(value)]),
    ),
    text: unescaped(text),
  }));
}
