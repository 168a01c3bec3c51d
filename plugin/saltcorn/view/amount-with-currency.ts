import { text_attr } from '@saltcorn/markup/tags';
import { isGiven } from '../../../src/builder.ts';

interface Shown {
  row?: Record<string, unknown>;
  /** The column with the currency. */
  currency?: string;
  /** The path to the amount, if it is in a row of another table. */
  join_field?: string;
}

// `row` is the row in the view, which doesn't contain the currency of another table's amount.
const currencyOf = ({ row = {}, currency = '', join_field }: Shown) =>
  join_field ? undefined : row[currency];

let format: Intl.NumberFormat | undefined;

/** Formats an amount with at least two decimals. */
function decimals(value: unknown) {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  // Not while loading, because the first use of Intl in a process takes long.
  format ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 10,
  });
  return format.format(value);
}

/** An amount whose currency is in another column, named by the column's attribute `currency`. */
export const amountWithCurrency = {
  isEdit: false,
  description: 'An amount with its currency',
  run: (value: unknown, _request?: object, shown: Shown = {}) =>
    isGiven(value) ? text_attr([decimals(value), currencyOf(shown)].filter(isGiven).join(' ')) : '',
};
