/**
 * Whether a text fits a pattern of SQL's `like`: `%` is any text, `_` any character, and case does not matter.
 * Takes no longer than the product of both lengths, whatever the pattern is.
 */
export function like(text: string, pattern: string): boolean {
  const [characters, parts] = [text, pattern].map((one) => [...one.toLowerCase()]) as [
    string[],
    string[],
  ];
  let at = 0;
  let part = 0;
  // Where to go on when the text after the last `%` does not fit: there one character further.
  let afterAny = -1;
  let resume = 0;
  while (at < characters.length) {
    if (parts[part] === '%') {
      part += 1;
      [afterAny, resume] = [part, at];
    } else if (part < parts.length && (parts[part] === '_' || parts[part] === characters[at])) {
      part += 1;
      at += 1;
    } else if (afterAny >= 0) {
      resume += 1;
      [part, at] = [afterAny, resume];
    } else return false;
  }
  return parts.slice(part).every((one) => one === '%');
}
