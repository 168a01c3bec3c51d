import {
  definitions,
  type Field,
  isAction,
  isList,
  type Operation,
  operations,
  pageSizeField,
} from '../../src/builder.ts';

/** The field for how many records a list returns. */
export const limitField = 'limit';

/** How many records a list returns if its limit is empty. */
export const usualLimit = 100;

/** A filter's value for all records. */
export const all = '*';

/** Whether a field only filters what is read. */
export const isFilter = (operation: Operation, { required }: Field): boolean =>
  !isAction(operation) && !required;

/** A field of Budibase's forms. `display` is its label: Budibase shows no help text. */
interface FormField {
  type: 'string' | 'longForm' | 'number' | 'password';
  required: boolean;
  display: string;
  default?: string;
}

function fieldOf(operation: Operation, field: Field): FormField {
  const { label, multiline, type, required = false } = field;
  return {
    type: multiline ? 'longForm' : type === 'integer' ? 'number' : 'string',
    required,
    display: isFilter(operation, field) ? `${label} (${all} for all)` : label,
  };
}

function fieldsOf(operation: Operation): Record<string, FormField> {
  const fields = operation.fields
    .filter((field) => field !== pageSizeField(operation))
    .map((field): [string, FormField] => [field.key, fieldOf(operation, field)]);
  const limit: FormField = {
    ...{ type: 'number', required: false },
    display: `Limit (${usualLimit} if empty)`,
  };
  return { ...Object.fromEntries(fields), ...(isList(operation) && { [limitField]: limit }) };
}

const queryOf = (operation: Operation) => ({
  type: 'fields',
  displayName: operation.name,
  // Pages can show what is readable, and then run it each time they open.
  readable: !isAction(operation),
  fields: fieldsOf(operation),
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
