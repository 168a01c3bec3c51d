import Form from '@saltcorn/data/models/form';
import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import Workflow from '@saltcorn/data/models/workflow';
import { type DataSource, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { formField } from '../settings/form-field.ts';
import type { Row, Where } from '../where/where.ts';
import { type Aggregation, withAggregations } from './aggregate-rows.ts';
import { tableColumns } from './columns.ts';
import { type JoinField, withJoins } from './join-rows.ts';
import { chosenKeys, keyFormFields } from './keys.ts';
import { showNotice } from './page-notice.ts';
import { countRows, readRows, type Selection, type SourceTable } from './read-rows.ts';

/** A warning in Saltcorn's scale: shown as a page of its own, but no crash report. */
const warning = 4;

/** Reads for Saltcorn: what goes wrong is said on the page, where there is one, and is a clear error elsewhere. */
async function reading<T>({ name }: DataSource, read: Promise<T>, nothing: T): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof TelephonyError)) throw error;
    const headline = `“${name}” cannot be shown at the moment`;
    if (showNotice(headline, error)) return nothing;
    // Saltcorn shows the headline to everyone and the message to administrators.
    throw Object.assign(error, { httpCode: 503, headline, severity: warning });
  }
}

const referencedTable = ({ name, reftable_name }: SaltcornField): [string, string][] =>
  reftable_name ? [[name, reftable_name]] : [];

const readOnly =
  ({ name }: DataSource) =>
  async (): Promise<never> => {
    throw new Error(`“${name}” is read-only: its rows come from the telephony account.`);
  };

const neededIn = (fields: DataSource['fields']) =>
  fields
    .filter((field) => field.required)
    .map(({ label }) => `Without “${label}”, here or as a filter, the table shows no rows.`)
    .join(' ');

const blurbOf = ({ description, fields }: DataSource) =>
  fields.length === 0
    ? description
    : `${description} What is filled in here holds for the whole table; what is left empty can be chosen by the filters of a view. ${neededIn(fields)}`.trim();

const providerWorkflow = (source: DataSource) =>
  new Workflow({
    steps: [
      {
        name: source.name,
        form: async () =>
          new Form({
            blurb: blurbOf(source),
            tabs: { tabsStyle: 'Accordion' },
            fields: [
              ...source.fields.map((field) => formField(field, { required: false })),
              ...(await keyFormFields(source)),
            ],
          }),
      },
    ],
  });

interface JoinedSelection extends Selection {
  where?: Where;
  joinFields?: Record<string, JoinField>;
  aggregations?: Record<string, Aggregation>;
}

async function joinedRows(
  table: SourceTable,
  tables: Map<string, string>,
  selection: JoinedSelection,
) {
  const { where = {}, joinFields = {}, aggregations = {}, ...rest } = selection;
  const rows = await readRows(table, where, rest);
  return withJoins(await withAggregations(rows, aggregations), tables, joinFields);
}

/**
 * The table provider of a data source.
 *
 * @param source the data source
 * @param account the account that it shows
 */
export function tableProvider(source: DataSource, account: Account) {
  return {
    configuration_workflow: () => providerWorkflow(source),
    fields: (configuration: Row | null | undefined) => tableColumns(source, configuration ?? {}),
    get_table: (configuration: Row | null | undefined, { name, fields }: SaltcornTable) => {
      const fixed = configuration ?? {};
      // A key to a table that is gone is no key any more.
      const tables = new Map(fields.flatMap(referencedTable));
      const keys = chosenKeys(source, fixed).filter(({ column }) => tables.has(column));
      const table = { name, account, source, fixed, keys };
      return {
        disableFiltering: true,
        getRows: (where: Where = {}, selection: Selection = {}) =>
          reading(source, readRows(table, where, selection), []),
        getJoinedRows: (selection: JoinedSelection) =>
          reading(source, joinedRows(table, tables, selection), []),
        countRows: (where: Where = {}) => reading(source, countRows(table, where), 0),
        insertRow: readOnly(source),
        updateRow: readOnly(source),
        deleteRows: readOnly(source),
      };
    },
  };
}
