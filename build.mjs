/**
 * Builds everything a user installs, from the definitions and the sources beside this file:
 *
 *   generated/        the definitions as a module, their types and validators (the only part that is committed)
 *   dist/esm, cjs     the library, with types
 *   dist/<builder>    a package for each folder in plugin/, and a tarball of it
 *
 * `node build.mjs --generate` stops after the first.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { generate } from './schema/generate.mjs';
import { readDefinitions } from './schema/read-definitions.mjs';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const run = promisify(execFile);

const writeJson = (path, value) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

// The CommonJS packages among the bundled ones ask for Node's modules by require, which an ES module lacks.
const requireInEsm = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

// axios without its own ways to send and its defaults, which are not used here, and without what only they need, such
// as form-data, follow-redirects and the agents of proxies.
const slimAxios = {
  name: 'slim-axios',
  setup({ onLoad }) {
    const unused = [
      'platform/node/classes/FormData',
      'defaults/index',
      ...['toFormData', 'formDataToJSON', 'buildURL', 'HttpStatusCode'].map(
        (name) => `helpers/${name}`,
      ),
      'cancel/CancelToken',
    ];
    const replace = (files, contents) => {
      const path = `axios/lib/(${files.join('|')})\\.js$`.replaceAll('/', '[\\\\/]');
      onLoad({ filter: new RegExp(path) }, () => ({ contents }));
    };
    replace(['adapters/adapters'], 'export default { getAdapter: (adapter) => adapter };');
    replace(unused, 'export default null;');
  },
};

const bundle = (entry, outfile, options) =>
  build({
    entryPoints: [join(root, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    plugins: [slimAxios],
    ...options,
  });

/** The licences of the packages that were bundled, as their authors ask for. */
async function writeLicences(folder, { inputs }) {
  const paths = Object.keys(inputs).map(
    (input) => input.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0],
  );
  const packages = [...new Set(paths.filter(Boolean))].sort();
  const texts = packages.map(async (path) => {
    const { name, version } = await readJson(join(root, path, 'package.json'));
    const file = (await readdir(join(root, path))).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(join(root, path, file), 'utf8') : '';
    return `${name} ${version}\n\n${text}`;
  });
  await writeFile(join(folder, 'LICENCES.txt'), (await Promise.all(texts)).join('\n\n----\n\n'));
}

async function buildLibrary(format) {
  const folder = join(dist, format);
  const { metafile } = await bundle('src/index.ts', join(folder, 'index.js'), {
    format,
    banner: format === 'esm' ? { js: requireInEsm } : {},
  });
  await writeJson(join(folder, 'package.json'), { type: format === 'esm' ? 'module' : 'commonjs' });
  await writeLicences(folder, metafile);
  await run(join(root, 'node_modules/.bin/tsc'), [
    ...['-p', join(root, 'tsconfig.types.json'), '--outDir', folder],
  ]);
}

const operationTable = ({ dataSources, actions }) =>
  [
    '| | | |',
    '|---|---|---|',
    ...dataSources.map(({ name, description }) => `| data source | **${name}** | ${description} |`),
    ...actions.map(({ name, description }) => `| action | **${name}** | ${description} |`),
  ].join('\n');

/** What a builder's packages hold besides the code: what the `files.ts` in its folder makes of the definitions. */
async function writeFiles(builder, folder) {
  const made = join(dist, `${builder}-files.cjs`);
  await bundle(`plugin/${builder}/files.ts`, made, { format: 'cjs', external: ['esbuild'] });
  const { files } = await import(pathToFileURL(made).href);
  for (const [path, content] of Object.entries(await files(root))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await rm(made);
}

async function buildPlugin(builder, definitions) {
  const folder = join(dist, builder);
  const source = join(root, 'plugin', builder);
  const { metafile } = await bundle(`plugin/${builder}/index.ts`, join(folder, 'index.js'), {
    format: 'cjs',
    external: [`@${builder}/*`],
    minify: true,
  });
  const { version, description } = definitions.manifest;
  const { license, repository, engines } = await readJson(join(root, 'package.json'));
  const own = await readJson(join(source, 'package.base.json'));
  await writeJson(join(folder, 'package.json'), {
    ...{ name: own.name, version, description, license, repository, main: 'index.js' },
    ...own,
    engines: { ...engines, ...own.engines },
  });
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  await writeFile(
    join(folder, 'README.md'),
    readme.replace('<!-- operations -->', () => operationTable(definitions)),
  );
  if (existsSync(join(source, 'files.ts'))) await writeFiles(builder, folder);
  await cp(join(root, 'plugin/icon.svg'), join(folder, 'icon.svg'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await writeLicences(folder, metafile);
  await run('npm', ['pack', folder, '--pack-destination', dist, '--silent'], {
    shell: process.platform === 'win32',
  });
}

const definitions = await readDefinitions(root);
await generate(root, definitions);
if (process.argv.includes('--generate')) process.exit();

await rm(dist, { recursive: true, force: true });
await mkdir(dist);
const entries = await readdir(join(root, 'plugin'), { withFileTypes: true });
const builders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
await Promise.all([
  ...['esm', 'cjs'].map(buildLibrary),
  ...builders.map((builder) => buildPlugin(builder, definitions)),
]);
