const escapes: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' },
  ...{ '"': '&quot;', '\n': '&#xA;', '\t': '&#x9;' },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML allows none of them, not even escaped
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeAll = (text: string, characters: RegExp) =>
  text
    .toWellFormed()
    .replace(notInXml, '')
    .replace(characters, (character) => escapes[character] ?? '');

/**
 * Escapes text for an XML element. Removes characters that XML doesn't allow.
 *
 * @param text any text
 */
export const escapeXml = (text: string): string => escapeAll(text, /[&<>\r]/g);

/**
 * Escapes text for an XML attribute. Removes characters that XML doesn't allow.
 *
 * @param text any text
 */
export const escapeAttribute = (text: string): string =>
  // A parser turns line breaks within an attribute into spaces.
  escapeAll(text, /[&<\r"\n\t]/g);

/** An instruction to the service. */
export interface TwimlElement {
  name: string;
  text?: string | undefined;
  attributes?: readonly [name: string, value: string][] | undefined;
  children?: readonly TwimlElement[] | undefined;
}

function write({ name, text = '', attributes = [], children = [] }: TwimlElement): string {
  const content = escapeXml(text) + children.map(write).join('');
  const written = attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('');
  return text === '' && children.length === 0
    ? `<${name}${written}/>`
    : `<${name}${written}>${content}</${name}>`;
}

/**
 * Writes instructions to the service.
 *
 * @param elements the instructions, in order
 * @returns TwiML, without an XML declaration
 */
export const twiml = (elements: readonly TwimlElement[]): string =>
  `<Response>${elements.map(write).join('')}</Response>`;
