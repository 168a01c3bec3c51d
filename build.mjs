/**
 * Builds everything a user installs, from the definitions and the sources next to this file:
 *
 *   generated/        the definitions as a module, their types and validators (the only part that is committed)
 *   dist/esm, cjs     the library, with types
 *   dist/<builder>    a package for each folder in plugin/, and a tarball of it; without code, only its files
 *   demo/<name>/dist  the programs of the demo, which serve the sandbox and the builders
 *
 * `node build.mjs --generate` stops after the first. `node build.mjs library saltcorn` builds only the library, and the package and
 * the demo of Saltcorn.
 *
 * @typedef {import('./schema/rules.ts').Definitions} Definitions
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = import.meta.dirname;
const dist = join(root, 'dist');
const run = promisify(execFile);

/** @type {(path: string, value: object) => Promise<void>} */
const writeJson = (path, value) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
/** @type {(path: string) => Promise<any>} */
const readJson = async (path) => JSON.parse(await readFile(path, 'utf8'));

// Some bundled CommonJS packages load Node's modules with `require`, which an ES module lacks.
const requireInEsm = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Creates the phone numbers of all countries when the first number is read: they are a quarter of a bundle and of the
 * memory that loading takes, and much of a builder needs none. The smaller plans of the library wouldn't do: by them, every
 * foreign number without its plus sign is also an Austrian one.
 *
 * @type {import('esbuild').Plugin}
 */
const lazyPhoneMetadata = {
  name: 'lazy-phone-metadata',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]libphonenumber-js[\\/]metadata\.max\.json\.js$/ }, async ({ path }) => {
      const { default: metadata } = await import(pathToFileURL(path).href);
      const getters = Object.keys(metadata).map((key) => `get ${key}() { return read().${key}; }`);
      return {
        contents: `let metadata; const read = () => (metadata ??= ${JSON.stringify(metadata)}); export default { ${getters} };`,
      };
    });
  },
};

/**
 * Replaces modules by a builder's own, such as those that the builder's rules forbid.
 *
 * @param {Record<string, string>} modules the paths of the replacements, by the paths of the modules
 * @returns {import('esbuild').Plugin}
 */
const replaceModules = (modules) => ({
  name: 'replace-modules',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ resolveDir, path }) => {
      const own = modules[join(resolveDir, path)];
      return own === undefined ? undefined : { path: own };
    });
  },
});

/**
 * @param {string} entry
 * @param {string} outfile
 * @param {import('esbuild').BuildOptions} options
 */
async function bundle(entry, outfile, options) {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outfile,
    ...options,
    bundle: true,
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    metafile: true,
    absWorkingDir: root,
    // Its build for Node would add 220 KB for a transport that the plugin doesn't use.
    alias: { axios: 'axios/dist/browser/axios.cjs' },
    plugins: [lazyPhoneMetadata, ...(options.plugins ?? [])],
  });
  return metafile;
}

/**
 * Loads a TypeScript module, which Node 20 can't do by itself.
 *
 * @param {string} entry
 */
async function load(entry) {
  const made = join(dist, `${entry.replaceAll('/', '-')}.mjs`);
  await bundle(entry, made, { format: 'esm', packages: 'external' });
  const module = await import(pathToFileURL(made).href);
  await rm(made);
  return module;
}

/**
 * Writes the licences of the bundled packages, as they require.
 *
 * @param {string} folder
 * @param {import('esbuild').Metafile} metafile
 */
async function writeLicences(folder, { inputs }) {
  const paths = Object.keys(inputs).map(
    (input) => input.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0],
  );
  const packages = [...new Set(paths.filter((path) => path !== undefined))].sort();
  const texts = packages.map(async (path) => {
    const { name, version } = await readJson(join(root, path, 'package.json'));
    const file = (await readdir(join(root, path))).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? await readFile(join(root, path, file), 'utf8') : '';
    return `${name} ${version}\n\n${text}`;
  });
  await writeFile(join(folder, 'LICENCES.txt'), (await Promise.all(texts)).join('\n\n----\n\n'));
}

/** The library in both formats, with its types. */
async function buildLibrary() {
  // The code and the types are written there at the same time.
  for (const format of ['esm', 'cjs']) await mkdir(join(dist, format), { recursive: true });
  const names = Object.keys(await load('src/index.ts')).sort();
  await Promise.all([buildFormat('esm', names), buildFormat('cjs', names), buildTypes()]);
}

/**
 * @param {'esm' | 'cjs'} format
 * @param {string[]} names what the small entry point exports
 */
async function buildFormat(format, names) {
  const folder = join(dist, format);
  const metafile = await bundle('src/builder.ts', join(folder, 'builder.js'), {
    format,
    banner: format === 'esm' ? { js: requireInEsm } : {},
  });
  // Both entry points share their code, so an error class of one is that of the other.
  await writeFile(
    join(folder, 'index.js'),
    format === 'esm'
      ? `export { ${names.join(', ')} } from './builder.js';\n`
      : `const builder = require('./builder.js');\n${names.map((name) => `exports.${name} = builder.${name};\n`).join('')}`,
  );
  await writeJson(join(folder, 'package.json'), { type: format === 'esm' ? 'module' : 'commonjs' });
  await writeLicences(folder, metafile);
}

/** The library's types, which are the same in both formats. */
async function buildTypes() {
  const made = join(dist, 'types');
  const tsc = join(
    dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))),
    'bin/tsc',
  );
  await run(process.execPath, [
    ...[tsc, '-p', join(root, 'tsconfig.types.json'), '--outDir', made],
  ]);
  for (const format of ['esm', 'cjs']) await cp(made, join(dist, format), { recursive: true });
  await rm(made, { recursive: true });
}

/** @type {(folder: string, files: Record<string, string>) => Promise<void>} */
async function writeAll(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/**
 * Writes a package's files except its code, which the `files.ts` in the builder's folder creates from the definitions.
 *
 * @param {string} builder
 * @param {string} folder
 */
async function writeFiles(builder, folder) {
  const { files } = await load(`plugin/${builder}/files.ts`);
  await writeAll(folder, await files(root, folder));
}

/**
 * @param {string} builder the name of its folder in plugin/
 * @param {Definitions} definitions
 */
async function buildPlugin(builder, definitions) {
  const folder = join(dist, builder);
  const source = join(root, 'plugin', builder);
  const { archive, instead = {}, ...own } = await readJson(join(source, 'package.base.json'));
  const { main = 'index.js' } = own;
  const replaced = Object.entries(instead).map(([from, to]) => [
    join(root, from),
    join(source, to),
  ]);
  const metafile = await bundle(`plugin/${builder}/index.ts`, join(folder, main), {
    format: 'cjs',
    external: [`@${builder}/*`, ...Object.keys({ ...own.peerDependencies, ...own.dependencies })],
    minify: true,
    plugins: [replaceModules(Object.fromEntries(replaced))],
  });
  const { version, description } = definitions.manifest;
  const whole = await readJson(join(root, 'package.json'));
  const { license, author, homepage, repository, bugs } = whole;
  await writeJson(join(folder, 'package.json'), {
    ...{ name: own.name, version, description, license, author, homepage, repository, bugs },
    ...{ main, ...own },
    engines: { ...whole.engines, ...own.engines },
  });
  await writeAll(folder, await packedPages(root, builder, definitions));
  if (existsSync(join(source, 'files.ts'))) await writeFiles(builder, folder);
  await cp(join(root, 'plugin/icon.svg'), join(folder, 'icon.svg'));
  await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await writeLicences(folder, metafile);
  if (archive === 'tar.gz')
    await run('tar', ['-czf', `${own.name}-${version}.tar.gz`, '-C', builder, '.'], { cwd: dist });
  else
    await run('npm', ['pack', folder, '--pack-destination', dist, '--silent'], {
      shell: process.platform === 'win32',
    });
}

/** Builds the programs of the demo: loading TypeScript would slow down the builders that they start. */
async function buildServers() {
  const places = ['demo/sandbox', ...builders.map((builder) => `demo/${builder}`)];
  const served = places.filter((place) => existsSync(join(root, place, 'serve.ts')));
  const options = /** @type {const} */ ({ format: 'esm', packages: 'external' });
  await Promise.all(
    served.map((place) =>
      bundle(`${place}/serve.ts`, join(root, place, 'dist/serve.mjs'), options),
    ),
  );
}

/** @type {typeof import('./schema/generate.ts')} */
const { generate } = await load('schema/generate.ts');
const definitions = await generate(root);
const named = process.argv.slice(2);
if (named.includes('--generate')) process.exit();

/** @type {typeof import('./schema/packed-pages.ts')} */
const { packedPages } = await load('schema/packed-pages.ts');
const folders = await readdir(join(root, 'plugin'), { withFileTypes: true });
const parts = [
  'library',
  ...folders.filter((folder) => folder.isDirectory()).map((folder) => folder.name),
];
const unknown = named.filter((name) => !parts.includes(name));
if (unknown.length > 0)
  throw new Error(`No part ${unknown.join(', ')}. There are: ${parts.join(', ')}.`);
const chosen = named.length > 0 ? named : parts;
const builders = chosen.filter((name) => name !== 'library');

const outdated =
  named.length > 0
    ? chosen.flatMap((name) => (name === 'library' ? ['esm', 'cjs'] : [name]))
    : ['.'];
for (const folder of outdated) await rm(join(dist, folder), { recursive: true, force: true });
await Promise.all([
  ...(chosen.includes('library') ? [buildLibrary()] : []),
  ...builders.map((builder) =>
    existsSync(join(root, 'plugin', builder, 'index.ts'))
      ? buildPlugin(builder, definitions)
      : writeFiles(builder, join(dist, builder)),
  ),
  ...(builders.length > 0 ? [buildServers()] : []),
]);
