/** A pack for Saltcorn: the same list twice, once over the plugin's table and once over a table of SQLite. */

const columns = [
  ['from', 'String', 'as_text'],
  ['status', 'String', 'as_text'],
  ['startTime', 'Date', 'show'],
  ['to', 'String', 'as_text'],
  ['direction', 'String', 'as_text'],
  ['duration', 'Integer', 'show'],
];

const everyone = 100;
const open = { min_role_read: everyone, min_role_write: 1 };

const field = ([name, type]) => ({ name, label: name, type, attributes: {}, required: false });

const cell = ([name, , fieldview]) => ({ type: 'Field', field_name: name, fieldview });

const list = (name, table) => ({
  name,
  table,
  viewtemplate: 'List',
  min_role: everyone,
  configuration: {
    columns: columns.map(cell),
    layout: {
      list_columns: true,
      besides: columns.map((column) => ({
        header_label: column[0],
        contents: { ...cell(column), type: 'field' },
      })),
    },
    default_state: { _rows_per_page: 20 },
  },
});

/** The tables and the lists have the same names. */
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
    { name: lists.native, fields: columns.map(field), ...open },
  ],
  views: Object.values(lists).map((name) => list(name, name)),
  ...{ pages: [], plugins: [], roles: [], library: [], triggers: [], config: [] },
};

/** A row of the native table, of what the plugin makes of a call. */
export const rowOf = (record) => Object.fromEntries(columns.map(([name]) => [name, record[name]]));
