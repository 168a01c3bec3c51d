/**
 * Whether a text matches a pattern of SQL's `like`, ignoring case: `%` is any text, `_` any character. Takes at most
 * time in proportion to the product of both lengths, whatever the pattern.
 */
export function like(text: string, pattern: string): boolean {
  const [characters, parts] = [text, pattern].map((one) => [...one.toLowerCase()]) as [
    string[],
    string[],
  ];
  let at = 0;
  let part = 0;
  // Where to resume if the text after the last `%` doesn't match: one character further.
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
