/**
 * A part of a configured value: a text, a column of the row or, as `customer.phone`, of a record that it refers to, or another NocoBase
 * variable.
 */
export type TemplatePart = string | { column: string } | { variable: string };

const variable = /\{\{\s*([^{}]+?)\s*\}\}/g;
const ofRow = /^ctx\.record\.([\w$]+(?:\.[\w$]+)?)$/;
const ofPopup = /^ctx\.popup\.record\.([\w$]+)$/;

/** Splits a configured value into its parts. */
export function parseTemplate(text: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: whole, 1: path = '', index } of text.matchAll(variable)) {
    if (index > end) parts.push(text.slice(end, index));
    end = index + whole.length;
    const [, column] = ofRow.exec(path) ?? [];
    parts.push(column ? { column } : { variable: path });
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The column of the popup's record that a variable refers to; undefined for other variables. */
export const popupColumn = (path: string): string | undefined => ofPopup.exec(path)?.[1];
