import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Ajv from 'ajv';
import { rules } from './rules.mjs';

const schemaNames = [
  'common',
  'field',
  'manifest',
  'settings',
  'data-source',
  'action',
  'record',
  'errors',
];
const folders = {
  settings: 'settings',
  'data-sources': 'data-source',
  actions: 'action',
  records: 'record',
};

const readJson = async (...path) => JSON.parse(await readFile(join(...path), 'utf8'));

/**
 * An ajv that knows the schemas of the definition language.
 *
 * @param {string} root the folder that holds `schema/`
 * @returns {Promise<Ajv>} `getSchema('action.schema.json')` and so on give the validators
 */
export async function schemaValidators(root) {
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

async function readFolder(root, folder) {
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(
    names.map(async (name) => [`${folder}/${name}`, await readJson(root, folder, name)]),
  );
}

function schemaFaults(ajv, schema, file, content) {
  const validate = ajv.getSchema(`${schema}.schema.json`);
  if (validate(content)) return [];
  return validate.errors.map(
    ({ instancePath, message, params }) =>
      `${file}${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Says what is wrong with a set of definitions, beyond what the schemas can say.
 *
 * @param {import('./rules.mjs').Definitions} definitions
 * @returns {string[]} one sentence a fault, empty if there is none
 */
export function ruleFaults(definitions) {
  return Object.values(rules).flatMap((rule) => [...rule(definitions)]);
}

/**
 * Reads and checks the manifest and every file it lists.
 *
 * @param {string} root the folder that holds manifest.json
 * @returns {Promise<import('./rules.mjs').Definitions>}
 * @throws {Error} that lists every fault, a line each
 */
export async function readDefinitions(root) {
  const manifest = await readJson(root, 'manifest.json');
  const { version: packageVersion } = await readJson(root, 'package.json');
  const files = Object.fromEntries(
    (await Promise.all(Object.keys(folders).map((folder) => readFolder(root, folder)))).flat(),
  );
  const errors = await readJson(root, 'errors.json');
  const ajv = await schemaValidators(root);
  const faults = [
    ...schemaFaults(ajv, 'manifest', 'manifest.json', manifest),
    ...schemaFaults(ajv, 'errors', 'errors.json', errors),
    ...Object.entries(files).flatMap(([file, content]) =>
      schemaFaults(ajv, folders[file.split('/')[0]], file, content),
    ),
  ];
  if (faults.length === 0) {
    const missing = [manifest.settings, manifest.dataSources, manifest.actions, manifest.records]
      .flat()
      .filter((file) => !files[file]);
    faults.push(...missing.map((file) => `manifest.json lists ${file}, which does not exist.`));
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));

  const definitions = {
    packageVersion,
    files,
    manifest,
    settings: files[manifest.settings],
    dataSources: manifest.dataSources.map((file) => files[file]),
    actions: manifest.actions.map((file) => files[file]),
    records: manifest.records.map((file) => files[file]),
    errors: errors.errors,
  };
  const broken = ruleFaults(definitions);
  if (broken.length > 0) throw new Error(broken.join('\n'));
  return definitions;
}
