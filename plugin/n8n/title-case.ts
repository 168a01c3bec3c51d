/** Converts a label to n8n's capitalisation, such as “Default Country”. */
export const titleCase = (text: string) =>
  text.replaceAll(/(^|\s)(\p{Ll})(?=\p{L}{3})|^\p{Ll}/gu, (word) => word.toUpperCase());
