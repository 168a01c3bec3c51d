/** A JSON object from outside: nothing about it is certain. */
export type Json = Record<string, unknown>;

/** Whether something is a JSON object, and no list. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON object that a text holds; undefined when it is none. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
