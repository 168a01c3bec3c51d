import { text_attr } from '@saltcorn/markup/tags';
import { sentence, TelephonyError } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { phoneForm } from '../data-source/read-rows.ts';
import { type NumberFunction, rowByNumber, rowsByNumber } from '../data-source/row-by-number.ts';

/**
 * A promise that fails where a formula reads the result without waiting for it, instead of having no such property. Saltcorn waits by itself
 * only in row expressions and calculated fields.
 */
function awaited<Value>(name: NumberFunction, promise: Promise<Value>): Promise<Value> {
  // Without `await`, no one handles its rejection, which would end Saltcorn.
  promise.catch(() => {});
  return new Proxy(promise, {
    get: (target, key) => {
      const value = Reflect.get(target, key);
      if (typeof value === 'function') return value.bind(target);
      if (typeof key === 'symbol') return value;
      throw new TelephonyError(
        'input',
        sentence(
          "{name}(…) has no result yet where “{key}” is read. In code, write “await ” before it, in brackets. “Only if” and “Query object” can't wait: set the value in an earlier step.",
          { name, key },
        ),
      );
    },
  });
}

const numberArguments = [
  { name: 'column', type: 'String', required: true },
  { name: 'number', type: 'String', required: true },
];

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
    run: (column: unknown, number: unknown) =>
      awaited(
        'rowByNumber',
        phoneForm(account).then((clean) => rowByNumber(String(column), number, clean)),
      ),
    isAsync: true,
    description:
      'The row of a table, such as "Customers.phone", that has a phone number. In code, write await before it',
    arguments: numberArguments,
  },
  rowsByNumber: {
    run: (column: unknown, number: unknown) =>
      awaited(
        'rowsByNumber',
        phoneForm(account).then((clean) =>
          rowsByNumber('rowsByNumber', String(column), number, clean),
        ),
      ),
    isAsync: true,
    description:
      'All rows of a table, such as "Customers.phone", that have a phone number. In code, write await before it',
    arguments: numberArguments,
  },
});
