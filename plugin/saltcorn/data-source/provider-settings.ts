import Form from '@saltcorn/data/models/form';
import Workflow from '@saltcorn/data/models/workflow';
import type { DataSource } from '../../../src/index.ts';
import { formField } from '../settings/form-field.ts';
import { chosenColumns, columnsFormField } from './chosen-columns.ts';
import { keyFormFields } from './keys.ts';

const neededIn = (fields: DataSource['fields']) =>
  fields
    .filter((field) => field.required)
    .map(({ label }) => `Without “${label}”, here or as a filter, the table shows no rows.`)
    .join(' ');

const blurbOf = ({ description, fields }: DataSource) =>
  fields.length === 0
    ? description
    : `${description} What is filled in here holds for the whole table; what is left empty can be chosen by the filters of a view. ${neededIn(fields)}`.trim();

/** What a table of a data source is asked when it is made: its fixed inputs and its keys to other tables. */
export const providerSettings = (source: DataSource) =>
  new Workflow({
    steps: [
      {
        name: source.name,
        form: async ({ table_id, ...settings }) =>
          new Form({
            blurb: blurbOf(source),
            values: chosenColumns(settings),
            tabs: { tabsStyle: 'Accordion' },
            fields: [
              ...source.fields.map((field) => formField(field, { required: false })),
              columnsFormField(source),
              ...(await keyFormFields(source)),
            ],
          }),
      },
    ],
  });
