import { text_attr } from '@saltcorn/markup/tags';
import type { Account } from '../account/account.ts';
import { phoneForm } from '../data-source/read-rows.ts';
import { rowByNumber } from '../data-source/row-by-number.ts';

/**
 * Functions for formulas. Saltcorn writes labels and texts from formulas into the page as HTML, and callers wrote some
 * of the text in records.
 */
export const formulaFunctions = (account: Account) => ({
  escapeHtml: {
    run: (value: unknown) => text_attr(String(value ?? '')),
    isAsync: false,
    description: 'A value as plain text, for formulas that give a label or a text',
    arguments: [{ name: 'value', type: 'String', required: true }],
  },
  rowByNumber: {
    run: async (column: unknown, number: unknown) =>
      rowByNumber(String(column), number, await phoneForm(account)),
    isAsync: true,
    description: 'The row of a table, such as "Customers.phone", that has a phone number',
    arguments: [
      { name: 'column', type: 'String', required: true },
      { name: 'number', type: 'String', required: true },
    ],
  },
});
