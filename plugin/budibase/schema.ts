import {
  definitions,
  isAction,
  type Operation,
  operations,
  type QueryField,
  queryFields,
} from '../../src/builder.ts';

/** A field of Budibase's forms. `display` is its label: Budibase shows no help text. */
interface FormField {
  type: 'string' | 'longForm' | 'number' | 'password';
  required: boolean;
  display: string;
  default?: string;
}

function fieldOf({ label: display, field }: QueryField): FormField {
  if (!field) return { type: 'number', required: false, display };
  const { multiline, type, required = false } = field;
  return {
    type: multiline ? 'longForm' : type === 'integer' ? 'number' : 'string',
    ...{ required, display },
  };
}

const queryOf = (operation: Operation) => ({
  type: 'fields',
  displayName: operation.name,
  // Pages can show what is readable, and then run it each time they open.
  readable: !isAction(operation),
  fields: Object.fromEntries(queryFields(operation).map((one) => [one.key, fieldOf(one)])),
});

const { manifest, settings } = definitions;

/** What Budibase shows of the plugin: the form of a data source, and the form of each operation as a kind of query. */
export const schema = {
  type: 'datasource',
  metadata: {},
  schema: {
    friendlyName: manifest.name,
    type: 'API',
    description: manifest.description,
    features: { connection: true },
    datasource: Object.fromEntries(
      settings.fields.map((field): [string, FormField] => [
        field.key,
        {
          type: field.type === 'secret' ? 'password' : 'string',
          required: 'required' in field && field.required,
          display: field.label,
          ...('default' in field && { default: field.default }),
        },
      ]),
    ),
    query: Object.fromEntries(operations.map((one) => [one.id, queryOf(one)])),
  },
};
