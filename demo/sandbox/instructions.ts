/** An instruction of an app: an element of the TwiML in its response. */
export interface Instruction {
  verb: string;
  attributes: Record<string, string>;
  text: string;
  /** The elements inside it. */
  inner: Instruction[];
}

const UNESCAPED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string) =>
  text.replace(/&(?:#x([0-9a-f]+)|(\w+));/gi, (all, code?: string, name = '') =>
    code ? String.fromCodePoint(Number.parseInt(code, 16)) : (UNESCAPED[name] ?? all),
  );

const ELEMENT = /<(\w+)((?:\s+\w+="[^"]*")*)\s*(?:\/>|>(.*?)<\/\1>)/gs;
const ATTRIBUTE = /(\w+)="([^"]*)"/g;

/** Reads the instructions in a response, in their order; none if it is not TwiML. */
export function instructionsIn(answer: string): Instruction[] {
  const [, content = ''] = /<Response>(.*)<\/Response>/s.exec(answer) ?? [];
  return elementsIn(content);
}

const elementsIn = (content: string): Instruction[] =>
  [...content.matchAll(ELEMENT)].map(([, verb = '', attributes = '', text = '']) => ({
    verb,
    attributes: Object.fromEntries(
      [...attributes.matchAll(ATTRIBUTE)].map(([, name, value = '']) => [name, unescaped(value)]),
    ),
    text: unescaped(text),
    inner: elementsIn(text),
  }));
