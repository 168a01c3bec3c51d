import { text_attr } from '@saltcorn/markup/tags';

/**
 * What formulas can use. Saltcorn puts the label or the text that a formula gives into the page as HTML, and some of what
 * records hold was written by the caller.
 */
export const formulaFunctions = {
  escapeHtml: {
    run: (value: unknown) => text_attr(String(value ?? '')),
    isAsync: false,
    description: 'A value as plain text, for formulas that give a label or a text',
    arguments: [{ name: 'value', type: 'String', required: true }],
  },
};
