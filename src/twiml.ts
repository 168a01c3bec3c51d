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

/**
 * The instructions to do one thing, as the service reads them.
 *
 * @param verb the element's name
 * @param text its text
 * @param attributes its attributes, by name
 * @returns TwiML, without an XML declaration
 */
export function twiml(verb: string, text: string, attributes: readonly [string, string][] = []) {
  const stated = attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('');
  return `<Response><${verb}${stated}>${escapeXml(text)}</${verb}></Response>`;
}
