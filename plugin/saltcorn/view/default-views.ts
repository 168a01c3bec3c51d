import type { SaltcornField } from '@saltcorn/data/models/table';
import { type DataSource, type RecordField, tableFields } from '../../../src/builder.ts';
import { translated } from '../translated.ts';
import { amountWithCurrency } from './amount-with-currency.ts';
import { clockDuration, inWords, statusBadge } from './field-views.ts';

type Column = ReturnType<typeof tableFields>[number] & Partial<RecordField>;

type FieldView = {
  run?(name: string, value: unknown, attributes: object, ...rest: unknown[]): string;
};

/** The field view of a column in new lists, if it isn't that of its type. */
function defaultView({ status, unit, currency }: Column) {
  if (status) return statusBadge;
  if (currency) return amountWithCurrency;
  return unit === 'seconds' ? clockDuration : undefined;
}

/** Saltcorn's inputs that offer the choices of a column. It shows them as the service names them. */
const choosing = ['checkbox_group', 'radio_group', 'edit'];

/** Lets these inputs show the choices of a column as lists do, in the language of the reader. */
function withLabels({ options, status }: Column, views: Record<string, FieldView>) {
  if (!options) return views;
  const labelOf = status ? translated : inWords;
  const labelled = choosing.flatMap((name) => {
    const { [name]: view } = views;
    if (!view?.run) return [];
    const run: FieldView['run'] = (input, value, attributes, ...rest) => {
      // An input knows its options by one of these names.
      const all = options.map((one) => ({ name: one, value: one, label: labelOf(one) }));
      return String(view.run?.(input, value, { ...attributes, options: all }, ...rest));
    };
    return [[name, { ...view, run }]];
  });
  return { ...views, ...Object.fromEntries(labelled) };
}

/** Saltcorn opens a table of the same columns again and again. */
const prepared = new WeakSet<SaltcornField>();

/**
 * Lets new lists show columns in the field view that suits them. Saltcorn chooses the view `show` of a column's type, so these columns get a
 * type with such a view. It has the name of the usual type, on which filters, formulas, inputs and charts depend.
 *
 * @param fields the columns of the table of a data source
 */
export function setDefaultViews(source: DataSource, fields: SaltcornField[]): void {
  const known = new Map(tableFields(source).map((field) => [field.key, field as Column]));
  for (const field of fields) {
    const column = known.get(field.name);
    const { type } = field;
    if (!column || typeof type !== 'object' || prepared.has(field)) continue;
    prepared.add(field);
    const show = defaultView(column);
    if (!show && !column.options) continue;
    const views = withLabels(column, type.fieldviews ?? {});
    const { show: _, ...others } = views;
    field.type = { ...type, fieldviews: show ? { show, ...others } : views };
  }
}
