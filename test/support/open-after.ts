import { execFileSync } from 'node:child_process';

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
export function openAfter(source: string): string[] {
  const program = `${watch}(async () => { ${source} setImmediate(() => { ${report} }); })();`;
  const options = { encoding: 'utf8' as const, env: { PATH: process.env.PATH } };
  return JSON.parse(execFileSync(process.execPath, ['-e', program], options));
}
