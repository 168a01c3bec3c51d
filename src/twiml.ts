const escapes: Record<string, string> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' },
  ...{ '"': '&quot;', '\n': '&#xA;', '\t': '&#x9;' },
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML has none of them, not even escaped
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeAll = (text: string, characters: RegExp) =>
  text
    .toWellFormed()
    .replace(notInXml, '')
    .replace(characters, (character) => escapes[character] ?? '');

/**
 * Writes text as the content of an XML element. What XML can't hold is left out.
 *
 * @param text any text
 */
export const escapeXml = (text: string): string => escapeAll(text, /[&<>\r]/g);

/**
 * Writes text as the value of an XML attribute. What XML can't hold is left out.
 *
 * @param text any text
 */
export const escapeAttribute = (text: string): string =>
  // A parser turns line breaks within an attribute into spaces.
  escapeAll(text, /[&<>\r"\n\t]/g);

/** One of the instructions of the service. */
export interface TwimlElement {
  name: string;
  text?: string | undefined;
  attributes?: readonly [name: string, value: string][] | undefined;
}

function write({ name, text = '', attributes = [] }: TwimlElement): string {
  const stated = attributes.map(([key, value]) => ` ${key}="${escapeAttribute(value)}"`).join('');
  return text === '' ? `<${name}${stated}/>` : `<${name}${stated}>${escapeXml(text)}</${name}>`;
}

/**
 * Instructions, as the service reads them.
 *
 * @param elements what to do, one after the other
 * @returns TwiML, without an XML declaration
 */
export const twiml = (elements: readonly TwimlElement[]): string =>
  `<Response>${elements.map(write).join('')}</Response>`;
