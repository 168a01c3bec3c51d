/** Converts a label to n8n's capitalisation, such as “Default Country” or “Caller ID”. */
export const titleCase = (text: string) =>
  text
    .replaceAll(/(^|\s)(\p{Ll})(?=\p{L}{3})|^\p{Ll}/gu, (word) => word.toUpperCase())
    .replaceAll(/\bid\b/g, 'ID');
