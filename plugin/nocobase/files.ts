import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { readTranslations } from '../../schema/read-translations.ts';
import base from './package.base.json';

/**
 * The version of NocoBase that the package is built for. NocoBase marks packages for another minor version as
 * incompatible.
 */
const nocobase = '2.2.15';

/** The modules that each shell provides. */
const external = [
  'react',
  'antd',
  'dayjs',
  '@nocobase/client',
  '@nocobase/client-v2',
  '@nocobase/flow-engine',
];

/** Leaves out Node's modules: browsers don't run the code that sends requests. */
const withoutNode: Plugin = {
  name: 'without-node',
  setup({ onResolve }) {
    onResolve({ filter: /^[a-z:_/]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path, external: true, sideEffects: false } : undefined,
    );
  },
};

/** The records of sample events, by event. */
async function sampleEvents(root: string) {
  const folder = join(root, 'events/examples');
  const names = await readdir(folder);
  const read = async (name: string) => {
    const { record } = JSON.parse(await readFile(join(folder, name), 'utf8'));
    return [basename(name, '.json'), record] as const;
  };
  return Object.fromEntries(await Promise.all(names.sort().map(read)));
}

/** Bundles the AMD module of a shell. */
async function shell(root: string, name: string, id: string) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(root, 'plugin/nocobase', name, 'index.ts')],
    external,
    define: { sampleEvents: JSON.stringify(await sampleEvents(root)) },
    format: 'cjs',
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    target: 'es2022',
    platform: 'browser',
    plugins: [withoutNode],
  });
  const code = outputFiles[0]?.text ?? '';
  const [{ imports } = { imports: [] }] = Object.values(metafile.outputs);
  const names = [...new Set(imports.filter((one) => one.external).map((one) => one.path))];
  const given = names.map((one, index) => `${JSON.stringify(one)}: d${index}`).join(', ');
  const params = names.map((_, index) => `d${index}`).join(', ');
  return `define(${JSON.stringify(id)}, ${JSON.stringify(names)}, function (${params}) {
var module = { exports: {} }, exports = module.exports, given = { ${given} };
var require = function (name) { return given[name]; };
${code}
return module.exports;
});
`;
}

/** The translations, by path. */
async function locales(root: string) {
  const found = { 'en-US': {}, ...(await readTranslations(root, 'nocobase')) };
  return Object.fromEntries(
    Object.entries(found).map(([language, texts]) => [
      `dist/locale/${language}.json`,
      JSON.stringify(texts),
    ]),
  );
}

const marker = (name: string) => `module.exports = require('./dist/${name}/index.js');\n`;

/**
 * The package's files except its server bundle: a module for each shell and its entry point, the versions that the
 * package is built for, and translations.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const versions = Object.fromEntries(
    ['@nocobase/server', '@nocobase/client', '@nocobase/client-v2', '@nocobase/flow-engine'].map(
      (name) => [name, nocobase],
    ),
  );
  return {
    'server.js': "module.exports = require('./index.js');\n",
    'client.js': marker('client'),
    'client-v2.js': marker('client-v2'),
    'dist/client/index.js': await shell(root, 'client', base.name),
    'dist/client-v2/index.js': await shell(root, 'client-v2', `${base.name}/client-v2`),
    'dist/externalVersion.js': `module.exports = ${JSON.stringify(versions, null, 2)};\n`,
    ...(await locales(root)),
  };
}
