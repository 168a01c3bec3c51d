import desk from '../../demo/saltcorn/desk.json';
import { type DataSource, definitions, recordShape } from '../../src/index.ts';
import { button } from '../saltcorn/app.ts';

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

const recordings = 'All of Recordings by caller id';
const toRow = button('sms', 'Send SMS', { from, to: '{{ phone }}', body: 'Hello' });

/** The desk of the demo, and beside it what shows all that there is, and what anybody may try. */
export const pack = {
  ...desk,
  tables: [
    ...desk.tables,
    table('Bound', { fields: [text('phone')] }),
    table('Reminders', { fields: [text('to'), text('body')] }),
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
  ],
  pages: [
    ...desk.pages,
    {
      ...{ name: 'public', title: 'Public', description: '', min_role: everyone, fixed_states: {} },
      layout: {
        above: [button('sms', 'Send SMS', { from, to: '+12025550220', body: 'Hello' })],
      },
      root_page_for_roles: [],
    },
  ],
  triggers: [
    {
      ...{ name: 'Remind', action: 'Send SMS', when_trigger: 'Insert', table_name: 'Reminders' },
      configuration: { from, to: '{{ to }}', body: '{{ body }}' },
      min_role: administrator,
    },
  ],
};
