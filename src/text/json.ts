/** A JSON object from outside. Its values can be anything. */
export type Json = Record<string, unknown>;

/** Whether a value is an object, not an array or null. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The most arrays, objects and commas that a long text may contain. A page of 1,000 records has a tenth of them. */
const maxTokens = 500_000;
/** Counting costs a tenth of parsing, and parsing a shorter text takes less than a second, whatever it contains. */
const longText = 2_000_000;

const [quote, backslash, comma, array, object] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/** Whether an odd number of backslashes precedes a quote. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start -= 1;
  return (at - start) % 2 === 1;
}

/** Returns where a string ends. Most of a response is strings, and `indexOf` is much faster than a loop over their characters. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether a long text would block the event loop for seconds: parsing 20 MB of brackets takes three. */
function hasTooManyTokens(text: string): boolean {
  let tokens = 0;
  for (let index = 0; index < text.length && tokens <= maxTokens; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma || code === array || code === object) tokens += 1;
  }
  return tokens > maxTokens;
}

function parse(text: string): unknown {
  if (text.length > longText && hasTooManyTokens(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; returns undefined if the text isn't one, or has too many values to parse. */
export function parseObject(text: string): Json | undefined {
  const value = parse(text);
  return isObject(value) ? value : undefined;
}

/** Parses a JSON array; returns undefined if the text isn't one, or has too many values to parse. */
export function parseArray(text: string): unknown[] | undefined {
  const value = text.trimStart().startsWith('[') ? parse(text) : undefined;
  return Array.isArray(value) ? value : undefined;
}
