import {
  columnOf,
  type DataSource,
  definitions,
  type Field,
  fieldTypes,
  keyColumn,
  type RecordField,
  recordShape,
  type StatusMeaning,
  statusMeaning,
  tableFields,
} from '../../../../src/builder.ts';
import { collectionName } from '../../collection-name.ts';
import { exactFilters, rangeFilters } from '../../filters.ts';
import {
  durationInterface,
  interfaceOf,
  mediaInterface,
  pictureInterface,
} from '../../interfaces.ts';
import { relations } from '../../relations.ts';
import { translated } from '../../translated.ts';

/** The column that holds the URL of a record's audio or picture. */
export const mediaColumn = 'media';

const statusColours: Record<StatusMeaning, string> = {
  success: 'green',
  active: 'blue',
  waiting: 'cyan',
  warning: 'gold',
  failure: 'red',
};
/** The colours of values that are neither good nor bad. */
const colours = ['magenta', 'purple', 'geekblue', 'volcano', 'lime'];

const values = [
  ...new Set(
    definitions.records.flatMap(({ fields }) => fields.flatMap((one) => one.options ?? [])),
  ),
];

// Gives a value the same colour in every list.
const choices = (options: readonly string[], isStatus: boolean) =>
  options.map((value) => {
    const place = Math.max(values.indexOf(value), 0);
    const meaning = isStatus ? statusMeaning(value) : undefined;
    const neutral = isStatus ? 'default' : colours[place % colours.length];
    return { value, label: translated(value), color: meaning ? statusColours[meaning] : neutral };
  });

const stored = { text: 'string', integer: 'integer', number: 'double', date: 'datetime' } as const;

/** Whether people group by a column, or compare its values. */
const isCharted = (field: RecordField | Field) =>
  (fieldTypes[field.type].holds !== 'text' || ['choice', 'day'].includes(field.type)) &&
  !('technical' in field && field.technical);

function column(source: DataSource, field: RecordField | Field) {
  const { label, help, type, options } = field;
  const name = columnOf(field);
  const { holds } = fieldTypes[type];
  const isFilter =
    rangeFilters(source).has(name) || exactFilters(source).some((one) => columnOf(one) === name);
  const isDuration = 'unit' in field && field.unit === 'seconds';
  return {
    name,
    field: name,
    type: stored[holds],
    rawType: stored[holds],
    interface: isDuration ? durationInterface : interfaceOf(type, isFilter),
    description: help,
    primaryKey: name === keyColumn(source),
    // NocoBase's charts offer only columns with filters. Without operators, no condition can use this one.
    ...(!isFilter && isCharted(field) && { filterable: { operators: [] } }),
    uiSchema: {
      title: translated(label),
      type: holds === 'integer' || holds === 'number' ? 'number' : 'string',
      'x-component': holds === 'date' ? 'DatePicker' : options ? 'Select' : 'Input',
      'x-component-props': holds === 'date' ? { showTime: true } : {},
      'x-read-pretty': true,
      ...(options && { enum: choices(options, 'status' in field && field.status === true) }),
    },
  };
}

const mediaColumns = ({ result }: DataSource) => {
  const { media } = recordShape(result.of);
  return media
    ? [
        {
          name: mediaColumn,
          field: mediaColumn,
          type: 'string',
          rawType: 'string',
          interface: media.kind === 'picture' ? pictureInterface : mediaInterface,
          uiSchema: { title: translated(media.label), type: 'string', 'x-component': 'Input' },
        },
      ]
    : [];
};

const relationColumns = (source: DataSource) =>
  relations(source).map(({ name, label, key, target }) => ({
    ...{ name, type: 'belongsTo', interface: 'm2o' },
    ...{ target: collectionName(target), foreignKey: key, targetKey: keyColumn(target) },
    uiSchema: {
      title: translated(label),
      type: 'object',
      'x-component': 'AssociationField',
      'x-component-props': {
        multiple: false,
        fieldNames: { label: keyColumn(target), value: keyColumn(target) },
      },
    },
  }));

const tableColumns = (source: DataSource, isTechnical: boolean) =>
  tableFields(source)
    .filter((field) => ('technical' in field && field.technical === true) === isTechnical)
    .map((field) => column(source, field));

/** One NocoBase collection per data source of the manifest. */
export const collections = definitions.dataSources.map((source) => ({
  source,
  options: {
    name: collectionName(source),
    tableName: collectionName(source),
    title: translated(source.name),
    description: source.description,
    filterTargetKey: keyColumn(source),
    titleField: keyColumn(source),
    // The service reports no total.
    simplePaginate: true,
    fields: [
      ...tableColumns(source, false),
      ...mediaColumns(source),
      ...relationColumns(source),
      // Menus list the fields in this order.
      ...tableColumns(source, true),
    ],
  },
}));
