import Form from '@saltcorn/data/models/form';
import Workflow from '@saltcorn/data/models/workflow';
import type { DataSource, Field } from '../../../src/builder.ts';
import { saltcornTypes } from '../saltcorn-types.ts';
import { formField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { chosenColumns, columnsFormField } from './chosen-columns.ts';
import { keyFormFields } from './keys.ts';

const neededIn = (fields: DataSource['fields']) =>
  fields
    .filter((field) => field.required)
    .map(({ label }) =>
      translated('Set “{{label}}” here or as a filter; without it, the table is empty.', {
        label: translated(label),
      }),
    )
    .join(' ');

const blurbOf = ({ description, fields }: DataSource) =>
  [
    translated(description),
    fields.length > 0 &&
      translated(
        'Values set here apply to the whole table; leave fields empty to filter by them in views.',
      ),
    neededIn(fields),
  ]
    .filter(Boolean)
    .join(' ');

// As a date, Saltcorn would store the midnight of a day, which isn't the whole day.
const fixedValueField = (field: Field) =>
  formField(field, {
    required: false,
    ...(field.type === 'date' && { type: saltcornTypes.text }),
  });

/** The provider settings of a data source's table: its fixed inputs, its columns and its keys to other tables. */
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
              ...source.fields.map((field) => fixedValueField(field)),
              columnsFormField(source),
              ...(await keyFormFields(source)),
            ],
          }),
      },
    ],
  });
