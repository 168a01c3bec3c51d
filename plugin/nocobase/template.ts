/** A part of what a button's field is set up with: a text, a column of its row, or another variable of NocoBase. */
export type TemplatePart = string | { column: string } | { variable: string };

const variable = /\{\{\s*([^{}]+?)\s*\}\}/g;
const ofRow = /^ctx\.record\.([\w$]+)$/;
const ofPopup = /^ctx\.popup\.record\.([\w$]+)$/;

/** Takes apart what a button's field is set up with. */
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

/** The column of a popup's record that a variable stands for; undefined if it stands for something else. */
export const popupColumn = (path: string): string | undefined => ofPopup.exec(path)?.[1];
