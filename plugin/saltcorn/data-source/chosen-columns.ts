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

// No key of a field has an underscore.
const setting = 'which_columns';

const isUsual = (settings: ProviderSettings) => settings[setting] === 'usual';

/**
 * Tells which fields of a data source are columns of its table: all of them, or the usual ones with what filters and joins need.
 * Tables that were made before there was a choice have all.
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
 * What a table's provider settings ask about its columns.
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
 * What is chosen of it at first: what is new starts with the usual ones, and what is old keeps what it has. Saltcorn knows no
 * defaults here.
 *
 * @param settings the table's provider settings, empty where they were never saved
 */
export const chosenColumns = (settings: ProviderSettings) => ({
  [setting]: isUsual(settings) || Object.keys(settings).length === 0 ? 'usual' : 'all',
});
