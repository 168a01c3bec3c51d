import {
  columnOf,
  type DataSource,
  filters,
  keyColumn,
  recordFields,
  recordShape,
} from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { chosenKeys, type ProviderSettings } from './keys.ts';

// Field keys contain no underscore.
const setting = 'which_columns';

const isUsual = (settings: ProviderSettings) => settings[setting] === 'usual';

/**
 * Returns a function that decides which fields of a data source are columns of its table: all of them, or the usual ones
 * with those that filters and joins need. Tables from before this setting have all.
 *
 * @param source the data source
 * @param settings the table's provider settings
 */
export function columnFilter(source: DataSource, settings: ProviderSettings) {
  if (!isUsual(settings)) return () => true;
  const unusual = recordFields(source).filter(({ usual }) => !usual);
  const hidden = new Set(unusual.map(({ key }) => key));
  const needed = [
    keyColumn(source),
    ...filters(source).map(columnOf),
    ...chosenKeys(source, settings).map(({ own }) => own),
  ];
  for (const column of needed) hidden.delete(column);
  return (column: string) => !hidden.has(column);
}

/**
 * The columns field of a table's provider settings.
 *
 * @param source the data source
 */
export function columnsFormField(source: DataSource): FormField {
  const { fields } = recordShape(source.result.of);
  const labels = fields.filter(({ usual }) => usual).map(({ label }) => label);
  return {
    name: setting,
    label: translated('Columns'),
    sublabel: translated(
      'The columns that Saltcorn puts into new views. Choose the usual ones ({{columns}}, and what filters and joins need) or all.',
      { columns: labels.map((label) => translated(label)).join(', ') },
    ),
    input_type: 'select',
    options: [
      { value: 'usual', label: translated('The usual ones') },
      { value: 'all', label: translated('All') },
    ],
    required: true,
    attributes: {},
  };
}

/**
 * The initial value of that field: the usual ones for a new table; an existing table keeps its value. Saltcorn has no
 * defaults here.
 *
 * @param settings the table's provider settings; empty if they were never saved
 */
export const chosenColumns = (settings: ProviderSettings) => ({
  [setting]: isUsual(settings) || Object.keys(settings).length === 0 ? 'usual' : 'all',
});
