/**
 * Parses a URL. `URL.canParse` isn't used: once Node 22 has optimised it, it refuses letters such as "ö".
 *
 * @param base what a relative URL is relative to
 * @returns undefined if the text isn't a URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
