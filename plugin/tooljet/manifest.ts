import { definitions } from '../../src/builder.ts';

const schemas = 'https://raw.githubusercontent.com/ToolJet/ToolJet/develop/plugins/schemas';
const { id, name, description } = definitions.manifest;
const { fields } = definitions.settings;

/** What ToolJet shows of the plugin, and the form of its data sources. */
export const manifest = {
  ...{ $schema: `${schemas}/manifest.schema.json`, title: name, description, type: 'api' },
  source: {
    ...{ name, kind: id },
    exposedVariables: { isLoading: false, data: {}, rawData: {} },
    options: Object.fromEntries(
      fields.map(({ key, type }) => [
        key,
        { type: 'string', ...(type === 'secret' && { encrypted: true }) },
      ]),
    ),
  },
  defaults: {},
  properties: Object.fromEntries(
    fields.map((field) => [
      field.key,
      {
        ...{ label: field.label, key: field.key, hint: field.help },
        type: field.type === 'secret' ? 'password' : 'text',
        description: 'placeholder' in field ? field.placeholder : field.label,
        ...(field.type === 'secret' && { encrypted: true }),
      },
    ]),
  ),
  required: fields.filter((field) => 'required' in field && field.required).map(({ key }) => key),
};
