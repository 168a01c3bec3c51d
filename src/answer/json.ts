/** A JSON object from outside: nothing about it is certain. */
export type Json = Record<string, unknown>;

/** Whether something is a JSON object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The most lists, objects and commas that a text may have: a page of 1,000 records has a tenth of them. */
const mostParts = 500_000;

const [quote, backslash, comma, list, object] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/** Whether a text would take seconds to parse, during which nothing else happens: 20 MB of brackets take three. */
function hasTooManyParts(text: string): boolean {
  let parts = 0;
  let isInText = false;
  for (let index = 0; index < text.length && parts <= mostParts; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) isInText = !isInText;
    else if (isInText) index += code === backslash ? 1 : 0;
    else if (code === comma || code === list || code === object) parts += 1;
  }
  return parts > mostParts;
}

/** The JSON object that a text holds; undefined when it is none, or has too many parts to be parsed at once. */
export function parseObject(text: string): Json | undefined {
  if (text.length > mostParts && hasTooManyParts(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
