import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import type {
  Action,
  DataSource,
  EventDefinition,
  Manifest,
  RecordShape,
  ServiceError,
  Settings,
} from '../generated/definition-types.ts';
import { type Definition, type Definitions, rules } from './rules.ts';

const schemaNames = [
  'common',
  'field',
  'manifest',
  'settings',
  'data-source',
  'action',
  'event',
  'record',
  'errors',
];
const folders = {
  settings: 'settings',
  'data-sources': 'data-source',
  actions: 'action',
  events: 'event',
  records: 'record',
};

interface File {
  path: string;
  schema: string;
  content: Definition;
}

const readJson = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));

/**
 * Creates an ajv with the schemas of the definition language.
 *
 * @param root the folder that holds `schema/`
 * @returns an ajv whose `getSchema('action.schema.json')` and so on return the validators
 */
export async function schemaValidators(root: string): Promise<Ajv> {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: true,
  });
  for (const name of schemaNames)
    ajv.addSchema(await readJson(root, 'schema', `${name}.schema.json`));
  return ajv;
}

async function readFolder(root: string, folder: string, schema: string): Promise<File[]> {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => ({
      path: `${folder}/${name}`,
      schema,
      content: await readJson(root, folder, name),
    })),
  );
}

function schemaFaults(ajv: Ajv, schema: string, file: string, content: unknown): string[] {
  if (ajv.validate(`${schema}.schema.json`, content)) return [];
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${file}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Finds the faults in a set of definitions that the schemas can't express.
 *
 * @returns one sentence per fault; empty if there is none
 */
export function ruleFaults(definitions: Definitions): string[] {
  return Object.values(rules).flatMap((rule) => [...rule(definitions)]);
}

/**
 * Reads and checks the manifest and every file it lists.
 *
 * @param root the folder that holds manifest.json
 * @throws {Error} that lists every fault, a line each
 */
export async function readDefinitions(root: string): Promise<Definitions> {
  const manifest: Manifest = await readJson(root, 'manifest.json');
  const { version: packageVersion } = await readJson(root, 'package.json');
  const reading = Object.entries(folders).map(([folder, schema]) =>
    readFolder(root, folder, schema),
  );
  const read = (await Promise.all(reading)).flat();
  const files = Object.fromEntries(read.map(({ path, content }) => [path, content]));
  const errors: { errors: ServiceError[] } = await readJson(root, 'errors.json');
  const ajv = await schemaValidators(root);
  const faults = [
    ...schemaFaults(ajv, 'manifest', 'manifest.json', manifest),
    ...schemaFaults(ajv, 'errors', 'errors.json', errors),
    ...read.flatMap(({ path, schema, content }) => schemaFaults(ajv, schema, path, content)),
  ];
  if (faults.length === 0) {
    const missing = [
      manifest.settings,
      ...[manifest.dataSources, manifest.actions, manifest.events, manifest.records],
    ]
      .flat()
      .filter((file) => !files[file]);
    faults.push(...missing.map((file) => `manifest.json lists ${file}, which does not exist.`));
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));

  // The schemas have checked the files of each folder, and that each list of the manifest names its folder.
  const file = <Kind extends Definition>(path: string) => files[path] as Kind;
  const definitions: Definitions = {
    packageVersion,
    files,
    manifest,
    settings: file<Settings>(manifest.settings),
    dataSources: manifest.dataSources.map(file<DataSource>),
    actions: manifest.actions.map(file<Action>),
    events: manifest.events.map(file<EventDefinition>),
    records: manifest.records.map(file<RecordShape>),
    errors: errors.errors,
  };
  const broken = ruleFaults(definitions);
  if (broken.length > 0) throw new Error(broken.join('\n'));
  return definitions;
}
