import Form from '@saltcorn/data/models/form';
import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import Workflow from '@saltcorn/data/models/workflow';
import { columnTypes, type Period, tableFields } from '../../../src/builder.ts';
import { dataSourceOf } from '../data-source/provider-name.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';

/** What a chart shows. */
export interface ChartSettings {
  /** The column that says when. */
  date: string;
  period: Period;
  /** The column to add up; without one, rows are counted. */
  value?: string;
  /** The column by which bars are divided. */
  series?: string;
  days?: number;
}

export const usualDays = 30;

const periods: [value: Period, label: string][] = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
];

const typeOf = ({ type }: SaltcornField) => (typeof type === 'object' ? type?.name : type);

/** Whether a column of the service's records holds days, in UTC, without a time. */
export function isDayColumn({ provider_name }: SaltcornTable, column: string): boolean {
  const source = dataSourceOf(provider_name);
  return source !== undefined && columnTypes(tableFields(source)).get(column) === 'day';
}

function select(
  name: keyof ChartSettings,
  [label, help]: [string, string],
  options: { value: string; label: string }[],
): FormField {
  const texts = { label: translated(label), sublabel: translated(help) };
  return { name, ...texts, input_type: 'select', options, required: false, attributes: {} };
}

function formFields(table: SaltcornTable): FormField[] {
  const { fields, provider_name } = table;
  // The columns of other tables have the names that their owner gave them.
  const labelOf = dataSourceOf(provider_name) ? translated : String;
  const offered = (those: SaltcornField[], ...first: string[]) => [
    ...first.map((label) => ({ value: '', label: translated(label) })),
    ...those.map(({ name, label }) => ({ value: name, label: labelOf(label) })),
  ];
  const isDate = (field: SaltcornField) =>
    (typeOf(field) === 'Date' && !field.attributes?.day_only) || isDayColumn(table, field.name);
  const isNumber = (field: SaltcornField) =>
    ['Integer', 'Float'].includes(String(typeOf(field))) && !field.primary_key;
  return [
    select('date', ['Date', 'The column that says when.'], offered(fields.filter(isDate))),
    select(
      'period',
      [
        'One bar for each',
        "Days start at midnight in Saltcorn's home timezone; usage has days in UTC.",
      ],
      periods.map(([value, label]) => ({ value, label: translated(label) })),
    ),
    select(
      'value',
      ['Show', 'The number of rows, or the sum of a column.'],
      offered(fields.filter(isNumber), 'Number of rows'),
    ),
    select(
      'series',
      ['Divide by', 'A column with choices, such as a status. Optional.'],
      offered(
        fields.filter(({ attributes }) => attributes?.options),
        'Nothing',
      ),
    ),
    {
      name: 'days',
      label: translated('Days'),
      sublabel: translated('How far back, unless a filter chooses dates.'),
      ...{ type: 'Integer', required: true, default: usualDays, attributes: { min: 1, max: 366 } },
    },
  ];
}

/** The settings of a chart's view. */
export const chartSettings = (tableOf: (id: number) => SaltcornTable) => () =>
  new Workflow({
    steps: [
      {
        name: 'Chart',
        form: ({ table_id }) => new Form({ fields: formFields(tableOf(Number(table_id))) }),
      },
    ],
  });
