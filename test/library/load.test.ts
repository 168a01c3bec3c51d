import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, replyForms } from '../../src/builder.ts';
import { root } from '../support/root.ts';

const dist = join(root, 'dist');

// The builder's own modules are not installed here, and loading the plugin uses none.
const watch = `
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) => (name.startsWith('@') ? class {} : load(name, ...rest));
for (const name of ['node:http', 'node:https']) {
  require(name).Agent = class { constructor() { throw new Error('The HTTP stack was set up.'); } };
}
// Some versions of Node open these when a module imports them.
void [process.stdout, process.stderr];
`;
const report = `
console.log(JSON.stringify(process.getActiveResourcesInfo()));
process.exit();
`;

/** The resources that are open after a program has run some code. */
function openAfter(source: string): string[] {
  const program = `${watch}(async () => { ${source} setImmediate(() => { ${report} }); })();`;
  const options = { encoding: 'utf8' as const, env: { PATH: process.env.PATH } };
  return JSON.parse(execFileSync(process.execPath, ['-e', program], options));
}

test.each([
  ['the library', `require(${JSON.stringify(join(dist, 'cjs/index.js'))});`],
  ['the library as an ES module', `await import(${JSON.stringify(join(dist, 'esm/index.js'))});`],
  ['the Saltcorn plugin', `require(${JSON.stringify(join(dist, 'saltcorn/index.js'))});`],
])('loading %s opens nothing, waits for nothing and sets up no HTTP', (_, source) => {
  expect(openAfter(source)).toEqual(openAfter(''));
});
test('the Saltcorn plugin stays below its size limit for its operations and events', () => {
  const { dataSources, actions, events } = definitions;
  // A third of it is the numbering plans of all countries, which complete national phone numbers. Translations take 6 KB, the checks of arguments 2 KB.
  const forms = dataSources.length + actions.length + replyForms.length;
  const kilobytes = 419 + 3 * (forms - 7) + 1.5 * events.length;
  expect(statSync(join(dist, 'saltcorn/index.js')).size).toBeLessThanOrEqual(kilobytes * 1024);
});
