import { text_attr } from '@saltcorn/markup/tags';

/**
 * Functions for formulas. Saltcorn writes labels and texts from formulas into the page as HTML, and callers wrote some
 * of the text in records.
 */
export const formulaFunctions = {
  escapeHtml: {
    run: (value: unknown) => text_attr(String(value ?? '')),
    isAsync: false,
    description: 'A value as plain text, for formulas that give a label or a text',
    arguments: [{ name: 'value', type: 'String', required: true }],
  },
};
