import desk from '../../demo/saltcorn/desk.json';
import { type DataSource, definitions, recordShape } from '../../src/index.ts';
import { button, embedded } from '../saltcorn/app.ts';
import { vagueFilters } from './app.ts';

const everyone = 100;
const administrator = 1;
const from = '+14155550100';

const text = (name: string) => ({ name, label: name, type: 'String' });

/** A table that administrators may read. */
const table = (name: string, rest: object) => ({
  ...{ name, min_role_read: administrator, min_role_write: administrator, fields: [] },
  ...rest,
});

const view = (name: string, viewtemplate: string, shown: string, configuration: object) => ({
  ...{ name, viewtemplate, table: shown, min_role: everyone, configuration },
});

const { dataSources, manifest } = definitions;

/** The table of a data source, and the list of its rows, which everyone may open. */
export const listName = ({ name }: DataSource) => `All of ${name}`;

/** The view of one row of it. */
export const showName = ({ name }: DataSource) => `One of ${name}`;

const holdsText = ['text', 'sid', 'phone', 'choice'];

/** Every column of a record, in every way in which Saltcorn and the plugin show a text. */
function columnsOf({ result }: DataSource) {
  const columns = recordShape(result.of).fields.flatMap(({ key, type }) =>
    (holdsText.includes(type) ? ['as_text', 'status_badge', 'phone_link'] : ['as_text']).map(
      (fieldview) => ({ field_name: key, fieldview }),
    ),
  );
  return {
    columns: columns.map((column) => ({ ...column, type: 'Field' })),
    fields: columns.map((column) => ({ ...column, type: 'field' })),
  };
}

const listOf = (name: string, columns: string[]) =>
  view(name, 'List', name, {
    columns: columns.map((field_name) => ({ type: 'Field', field_name, fieldview: 'as_text' })),
    layout: {
      list_columns: true,
      besides: columns.map((field_name) => ({
        header_label: field_name,
        contents: { type: 'field', field_name, fieldview: 'as_text' },
      })),
    },
    default_state: { _rows_per_page: 100 },
  });

function viewsOf(source: DataSource) {
  const { columns, fields } = columnsOf(source);
  const besides = fields.map((contents) => ({ contents, header_label: contents.field_name }));
  return [
    view(listName(source), 'List', listName(source), {
      columns,
      layout: { list_columns: true, besides },
      default_state: { _rows_per_page: 100 },
    }),
    view(showName(source), 'Show', listName(source), { columns, layout: { above: fields } }),
  ];
}

const toRow = button('sms', 'Send SMS', { from, to: '{{ phone }}', body: 'Hello' });

const recordings = 'All of Recordings by caller id';

/** What stands under *Only where* for each filter that chooses nobody. */
const formulas: Record<(typeof vagueFilters)[number], string> = {
  'is false': 'false',
  'is false for everyone': 'user.id === 99',
  'is null': 'null',
  'has no value': '{ name: user.nickname }',
  'has no value for one of two': '{ or: [{ name: "Person 1" }, { name: user.nickname }] }',
  'names a column that there is none of': '{ nmae: "Person 1" }',
  'is not understood': 'name.startsWith("Person")',
};

const forEachRow = (rndid: string, rest: object = {}) =>
  button(rndid, 'Send SMS for each row', {
    ...{ rows_table: 'Customers', rows_of_page: true, rows_limit: 100 },
    ...{ from, to: '{{ phone }}', body: 'Hello', ...rest },
  });

const page = (name: string, min_role: number, ...above: object[]) => ({
  ...{ name, title: name, description: '', min_role, fixed_states: {} },
  ...{ layout: { above }, root_page_for_roles: [] },
});

/** Ways to give a list of a row's recordings a value that the row does not have, by the views that do so. */
export const formulasWithoutValue = {
  'of a column that there is none of': '{ from: fone }',
  'of what is undefined': '{ from: undefined }',
  'of null': '{ from: null }',
};
const related = 'Recordings of a row';

/** A view of a row, with a list of recordings in it. */
const showing = (name: string, list: object) =>
  view(name, 'Show', 'Bound', {
    columns: [],
    layout: { above: [{ type: 'view', name, state: 'shared', ...list }] },
  });

/** The desk of the demo, and beside it what shows all that there is, and what anybody may try. */
export const pack = {
  ...desk,
  tables: [
    ...desk.tables,
    table('Bound', { fields: [text('phone')] }),
    table('Reminders', { fields: [text('to'), text('body')] }),
    table(related, {
      provider_name: `${manifest.name}: Recordings by caller id`,
      provider_cfg: { key_from: 'Bound.phone' },
    }),
    ...dataSources.map((source) =>
      table(listName(source), { provider_name: `${manifest.name}: ${source.name}` }),
    ),
  ],
  views: [
    ...desk.views,
    ...dataSources.flatMap(viewsOf),
    view('Bound', 'Show', 'Bound', {
      columns: [{ ...toRow, type: 'Action' }],
      layout: {
        above: [
          toRow,
          {
            ...{ type: 'view', name: 'theirs', view: `Independent:${recordings}`, state: 'local' },
            extra_state_fml: '{ from: phone }',
          },
        ],
      },
    }),
    listOf(related, ['sid']),
    listOf('Customers', ['name', 'phone']),
    showing('Related', { relation: `.Bound.${related}$fromRow`, view: related }),
    ...Object.entries(formulasWithoutValue).map(([name, extra_state_fml]) =>
      showing(name, { view: `Independent:${recordings}`, extra_state_fml }),
    ),
  ],
  pages: [
    ...desk.pages,
    page(
      'public',
      everyone,
      button('sms', 'Send SMS', { from, to: '+12025550220', body: 'Hello' }),
    ),
    page(
      'each',
      administrator,
      forEachRow('everyone shown'),
      ...vagueFilters.map((filter) => forEachRow(filter, { rows_where: formulas[filter] })),
      embedded('Customers'),
    ),
  ],
  triggers: [
    {
      ...{ name: 'Remind', action: 'Send SMS', when_trigger: 'Insert', table_name: 'Reminders' },
      configuration: { from, to: '{{ to }}', body: '{{ body }}' },
      min_role: administrator,
    },
  ],
};
