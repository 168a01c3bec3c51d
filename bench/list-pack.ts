/**
 * A pack for Saltcorn: the same list over the plugin's table and over an SQLite table with the same columns. Their attributes are the
 * same, too, because Saltcorn takes a while to translate values with options.
 */
import { definitions, type RecordField } from '../src/builder.ts';

const shown: [column: string, fieldview: string][] = [
  ['from', 'as_text'],
  ['status', 'as_text'],
  ['startTime', 'show'],
  ['to', 'as_text'],
  ['direction', 'as_text'],
  ['duration', 'show'],
];
const types: Partial<Record<RecordField['type'], string>> = {
  integer: 'Integer',
  number: 'Float',
  date: 'Date',
};
const fields = definitions.records.find(({ id }) => id === 'call')?.fields ?? [];

const everyone = 100;
const open = { min_role_read: everyone, min_role_write: 1 };

const nativeField = ({ key, label, type, options }: RecordField) => ({
  name: key,
  label,
  type: types[type] ?? 'String',
  attributes: { exact_search_only: true, ...(options && { options: options.join(',') }) },
});

const cell = ([field_name, fieldview]: (typeof shown)[number]) => ({
  type: 'Field',
  field_name,
  fieldview,
});

const list = (name: string, table: string) => ({
  name,
  table,
  viewtemplate: 'List',
  min_role: everyone,
  configuration: {
    columns: shown.map(cell),
    layout: {
      list_columns: true,
      besides: shown.map((column) => ({
        header_label: column[0],
        contents: { ...cell(column), type: 'field' },
      })),
    },
    default_state: { _rows_per_page: 20 },
  },
});

/** Where rows come from. */
export type Rows = 'plugin' | 'native';

const numbers = [1, 2, 3];

/** The names of the tables, which are also those of their lists. */
export const tablesOf: Record<Rows, string[]> = {
  plugin: numbers.map((number) => `plugin_calls_${number}`),
  native: numbers.map((number) => `native_calls_${number}`),
};

const filterOf = (rows: Rows) => `filter_of_${rows}`;

/** A filter by status, like the one that Saltcorn's builder makes. */
const filter = (rows: Rows) => ({
  name: filterOf(rows),
  table: tablesOf[rows][0],
  viewtemplate: 'Filter',
  min_role: everyone,
  configuration: {
    columns: [{ type: 'DropDownFilter', field_name: 'status' }],
    layout: { type: 'dropdown_filter', field_name: 'status' },
  },
});

/** A page with a filter and three lists that follow it. */
const page = (rows: Rows) => ({
  ...{ name: rows, title: rows, description: '', min_role: everyone, fixed_states: {} },
  layout: {
    above: [filterOf(rows), ...tablesOf[rows]].map((view, at) => ({
      ...{ type: 'view', name: `${rows}${at}`, view, state: 'shared' },
    })),
  },
});

export const pack = {
  tables: [
    ...tablesOf.plugin.map((name) => ({
      ...{ name, provider_name: 'Telephony: Account Calls', provider_cfg: {}, fields: [], ...open },
    })),
    ...tablesOf.native.map((name) => ({ name, fields: fields.map(nativeField), ...open })),
  ],
  views: [
    ...Object.values(tablesOf).flatMap((names) => names.map((name) => list(name, name))),
    ...[filter('plugin'), filter('native')],
  ],
  pages: [page('plugin'), page('native')],
  ...{ plugins: [], roles: [], library: [], triggers: [], config: [] },
};
