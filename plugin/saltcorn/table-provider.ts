import Form from '@saltcorn/data/models/form';
import Workflow from '@saltcorn/data/models/workflow';
import { type DataSource, TelephonyError } from '../../src/index.ts';
import type { Account } from './account.ts';
import { formField } from './form-field.ts';
import type { Row, Where } from './row-filter.ts';
import { tableColumns } from './table-columns.ts';
import { countRows, readRows, type Selection } from './table-rows.ts';

/** A warning in Saltcorn's scale: shown as a page of its own, but no crash report. */
const warning = 4;

// Saltcorn shows the headline to everyone and the message to administrators.
const forPage = (error: unknown, { name }: DataSource) =>
  error instanceof TelephonyError
    ? Object.assign(error, {
        httpCode: 503,
        headline: `“${name}” cannot be shown at the moment`,
        severity: warning,
      })
    : error;

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

const fixedFieldsWorkflow = ({ name, description, fields }: DataSource) =>
  new Workflow({
    steps:
      fields.length === 0
        ? []
        : [
            {
              name,
              form: () =>
                new Form({
                  blurb:
                    `${description} What is filled in here holds for the whole table; what is left empty can be chosen by the filters of a view. ${neededIn(fields)}`.trim(),
                  fields: fields.map((field) => formField(field, { required: false })),
                }),
            },
          ],
  });

/**
 * The table provider of a data source.
 *
 * @param source the data source
 * @param account the account that it shows
 */
export function tableProvider(source: DataSource, account: Account) {
  return {
    configuration_workflow: () => fixedFieldsWorkflow(source),
    fields: () => tableColumns(source),
    get_table: (configuration: Row | null | undefined, { name }: { name: string }) => {
      const table = { name, account, source, fixed: configuration ?? {} };
      const shown = <T>(reading: Promise<T>) =>
        reading.catch((error) => {
          throw forPage(error, source);
        });
      return {
        disableFiltering: true,
        getRows: (where: Where = {}, selection: Selection = {}) =>
          shown(readRows(table, where, selection)),
        countRows: (where: Where = {}) => shown(countRows(table, where)),
        insertRow: readOnly(source),
        updateRow: readOnly(source),
        deleteRows: readOnly(source),
      };
    },
  };
}
