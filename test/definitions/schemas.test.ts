import type Ajv from 'ajv';
import { schemaValidators } from '../../schema/read-definitions.ts';
import { root } from '../support/root.ts';
import { actionExamples } from './examples/action.ts';
import { dataSourceExamples } from './examples/data-source.ts';
import { errorsExamples } from './examples/errors.ts';
import { eventExamples } from './examples/event.ts';
import type { Examples } from './examples/examples.ts';
import { fieldExamples } from './examples/field.ts';
import { manifestExamples } from './examples/manifest.ts';
import { recordExamples } from './examples/record.ts';
import { settingsExamples } from './examples/settings.ts';

const examples: Record<string, Examples> = {
  action: actionExamples,
  'data-source': dataSourceExamples,
  errors: errorsExamples,
  event: eventExamples,
  field: fieldExamples,
  manifest: manifestExamples,
  record: recordExamples,
  settings: settingsExamples,
};

let ajv: Ajv;
beforeAll(async () => {
  ajv = await schemaValidators(root);
});

function faultsOf(schema: string, example: object) {
  const validate = ajv.getSchema(`${schema}.schema.json`);
  validate?.(example);
  const faults = validate?.errors ?? [];
  return faults
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
}

describe.each(Object.entries(examples))('%s.schema.json', (schema, { valid, invalid }) => {
  test.each(valid.map((example) => [JSON.stringify(example), example]))(
    'accepts %s',
    (_, example) => {
      expect(faultsOf(schema, example as object)).toEqual([]);
    },
  );

  test.each(invalid.map(({ reason, ...rest }) => [reason, rest] as const))(
    'refuses: %s',
    (_, { example, fault }) => {
      expect(faultsOf(schema, example)).toEqual([fault]);
    },
  );
});

test('every schema describes each of its keys', () => {
  const undescribed: string[] = [];
  function visit(schema: Record<string, unknown>, path: string) {
    for (const [key, property] of Object.entries((schema.properties ?? {}) as object)) {
      if (!property.description && !property.$ref) undescribed.push(`${path}/${key}`);
      visit(property, `${path}/${key}`);
    }
    for (const [key, definition] of Object.entries((schema.definitions ?? {}) as object)) {
      if (!definition.description) undescribed.push(`${path}#${key}`);
      visit(definition, `${path}#${key}`);
    }
  }
  for (const schema of ['common', ...Object.keys(examples)])
    visit(ajv.getSchema(`${schema}.schema.json`)?.schema as Record<string, unknown>, schema);
  expect(undescribed).toEqual([]);
});
