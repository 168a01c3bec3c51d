import type { SaltcornField } from '@saltcorn/data/models/table';
import { type DataSource, type RecordField, recordFields } from '../../../src/builder.ts';
import { amountWithCurrency } from './amount-with-currency.ts';
import { clockDuration, statusBadge } from './field-views.ts';

/** The field view of a column in new lists, if it isn't that of its type. */
function defaultView({ status, unit, currency }: RecordField) {
  if (status) return statusBadge;
  if (currency) return amountWithCurrency;
  return unit === 'seconds' ? clockDuration : undefined;
}

/**
 * Lets new lists show columns in the field view that suits them. Saltcorn chooses the view `show` of a column's type, so these columns get a
 * type with such a view. It has the name of the usual type, on which filters, formulas, inputs and charts depend.
 *
 * @param fields the columns of the table of a data source
 */
export function setDefaultViews(source: DataSource, fields: SaltcornField[]): void {
  const shown = new Map(recordFields(source).map((field) => [field.key, defaultView(field)]));
  for (const field of fields) {
    const show = shown.get(field.name);
    const { type } = field;
    if (!show || typeof type !== 'object') continue;
    const { show: _, ...others } = type.fieldviews ?? {};
    field.type = { ...type, fieldviews: { show, ...others } };
  }
}
