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

/** The names of the tables, and of their lists. */
export const lists = { plugin: 'plugin_calls', native: 'native_calls' };

export const pack = {
  tables: [
    {
      name: lists.plugin,
      provider_name: 'Telephony: Account Calls',
      provider_cfg: {},
      fields: [],
      ...open,
    },
    { name: lists.native, fields: fields.map(nativeField), ...open },
  ],
  views: Object.values(lists).map((name) => list(name, name)),
  ...{ pages: [], plugins: [], roles: [], library: [], triggers: [], config: [] },
};
