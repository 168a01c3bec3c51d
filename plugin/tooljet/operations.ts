import {
  definitions,
  type Operation,
  operations,
  type QueryField,
  queryFields,
  wildcard,
} from '../../src/builder.ts';

/** The field of a query that contains its operation. */
export const operationField = 'operation';

const schemas = 'https://raw.githubusercontent.com/ToolJet/ToolJet/develop/plugins/schemas';
const { name, description } = definitions.manifest;

/** A field whose value can contain bindings. */
const fieldOf = ({ key, label, field }: QueryField) => ({
  ...{ label, key, type: 'codehinter', className: 'codehinter-plugins', lineNumbers: false },
  description: field?.help ?? label,
  placeholder: field?.placeholder ?? field?.options?.join(', ') ?? '',
  ...{ width: '320px', height: field?.multiline ? '150px' : '36px' },
});

const formOf = (one: Operation) =>
  Object.fromEntries(queryFields(one).map((field) => [field.key, fieldOf(field)]));

/** The forms of queries: ToolJet shows that of the chosen operation. */
export const operationForms = {
  ...{ $schema: `${schemas}/operations.schema.json`, title: name, description, type: 'api' },
  defaults: {},
  properties: {
    [operationField]: {
      ...{ label: 'Operation', key: operationField, type: 'dropdown-component-flip' },
      description: `In a filter, ${wildcard} is all.`,
      list: operations.map((one) => ({ value: one.id, name: one.name })),
    },
    ...Object.fromEntries(operations.map((one) => [one.id, formOf(one)])),
  },
};
