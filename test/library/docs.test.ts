import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builders } from '../../demo/builders.ts';
import { readOptions } from '../../demo/options.ts';
import { scripts } from '../../package.json';
import { connect } from '../../src/builder.ts';
import { levels } from '../levels.mjs';
import {
  blocksOf,
  documents,
  filesIn,
  foldersIn,
  inlineCodeOf,
  readDocument,
  snippetsOf,
} from '../support/document.ts';
import { root } from '../support/root.ts';
import { stories } from '../support/stories.ts';

type Variables = Record<string, string>;

function checkPaths(paths: string[]) {
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
}

/** Checks of a script's options after `--`. */
const optionChecks: Record<string, (options: string[], variables: Variables) => void> = {
  start: (options, variables) => {
    const parsed = readOptions(options, variables);
    if (!parsed.help && parsed.account) connect(parsed.account);
  },
  bench: (options) => {
    const source = readFileSync(join(root, 'bench/bench.ts'), 'utf8');
    for (const option of options) expect(source).toContain(`argv.includes('${option}')`);
  },
  builders: (ids) => {
    expect(Object.keys(builders)).toEqual(expect.arrayContaining(ids));
  },
  check: checkPaths,
  mutants: checkPaths,
  pictures: (names) => {
    expect([...stories().keys()]).toEqual(expect.arrayContaining(names));
  },
  test: checkPaths,
  ...Object.fromEntries(Object.keys(levels).map((level) => [`test:${level}`, checkPaths])),
};

function checkScript(script: string, options: string[], variables: Variables) {
  expect(Object.keys(scripts)).toContain(script);
  const check = optionChecks[script];
  if (check) check(options, variables);
  else expect(options).toEqual([]);
}

/** Checks of the values of variables. */
const valueChecks: Record<string, (value: string) => void> = {
  SALTCORN_FIXED_PLUGIN_CONFIGURATION: (value) => connect(JSON.parse(value).telephony),
};

function checkVariable(name: string, value: string) {
  const places = ['src', 'plugin', 'demo', 'bench', 'test', 'jest.config.mjs'];
  const code = ['--include=*.ts', '--include=*.mjs', '--include=*.cjs'];
  const options = ['-rlw', '--exclude-dir=node_modules', ...code];
  // grep fails if nothing reads the variable.
  execFileSync('grep', [...options, name, ...places], { cwd: root });
  valueChecks[name]?.(value);
}

/** Commands without a check. */
const plainCommands = [
  ...['npm ci', 'npm install', 'npm pack', 'npm install <this folder>'],
  'npm install --legacy-peer-deps',
];

const assignment = /([A-Z_]+)=(?:'([^']*)'|(\S+))/g;

/** A command is optional variables, then optionally npm with a script and its options. */
function checkCommand(text: string) {
  const assigned = [...text.matchAll(assignment)];
  const variables: Variables = Object.fromEntries(
    assigned.map(([, name, quoted, bare]) => [name, quoted ?? bare]),
  );
  for (const [name, value] of Object.entries(variables)) checkVariable(name, value);

  const command = text.replaceAll(assignment, '').trim();
  if (command === '' || plainCommands.includes(command)) return;
  const [, script, options] = command.match(/^npm (?:run )?([\w:-]+)(?: -- (.+))?$/) ?? [];
  if (script === undefined) throw new Error(`No test knows the command “${text}”.`);
  checkScript(script, options?.split(' ') ?? [], variables);
}

/** The commands in some lines. “…” becomes any value. */
const commandsIn = (code: string) =>
  code
    .replaceAll('…', 'x')
    .replaceAll(/ *#.*$/gm, '')
    .split(/\n| && /)
    .filter(Boolean);

/** A map has a line for each file or folder, with its purpose. */
function checkMap(code: string) {
  const places = code.split('\n').flatMap((line) => line.match(/^[\w.-]+(\/[\w.-]+)*/)?.[0] ?? []);
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  const folders = foldersIn('.').filter((name) => !/^(\.|node_modules$|dist$)/.test(name));
  expect(places).toEqual(expect.arrayContaining(folders));
}

/** The check for the blocks of each language. */
const proofs: Record<string, (code: string) => void> = {
  sh: (code) => commandsIn(code).forEach(checkCommand),
  '': checkMap,
};

/** The pages for maintainers. */
const guides = documents.filter((page) => page.startsWith('docs/contributing/')).map(readDocument);

/** Code that another test runs. */
const ranElsewhere = [
  ...snippetsOf(readDocument('docs/api-events.md'), 'js'), // events.test.ts
  ...snippetsOf(readDocument('docs/api.md'), 'js'), // api.test.ts
  ...snippetsOf(readDocument('docs/builders/saltcorn-recipes.md'), 'js'), // test/saltcorn/browser/recipes.test.ts
  ...snippetsOf(readDocument('docs/builders/saltcorn-recipes.md'), 'text'), // test/saltcorn/process/recipes.test.ts
  ...['js', 'json', 'handlebars'].flatMap((language) =>
    snippetsOf(readDocument('docs/builders/node-red-recipes.md'), language),
  ), // test/node-red/process/recipes.test.ts
  ...snippetsOf(readDocument('docs/builders/gateway.md'), 'json'), // test/gateway/mcp-stdio.test.ts
  ...snippetsOf(readDocument('docs/builders/gateway.md'), 'sh'), // test/gateway/guide.test.ts
  ...guides.flatMap((guide) => Object.values(filesIn(guide))), // contributing.test.ts
  ...guides.flatMap((guide) => snippetsOf(guide, 'ts')), // contributing.test.ts
];

const blocks = documents.flatMap((page) =>
  blocksOf(readDocument(page))
    .filter(({ code }) => !ranElsewhere.includes(code))
    .map(({ language, code }) => ({ page, language, code, start: code.split('\n')[0] })),
);

test.each(blocks)(
  '$page has a valid “$language” block that starts with “$start”',
  ({ language, code }) => {
    const prove = proofs[language];
    if (!prove) throw new Error(`No test runs a block of “${language}”.`);
    prove(code);
  },
);

const aboutTests = readDocument('docs/contributing/tests.md');

test('the page about tests explains every test command', () => {
  const explained = [...aboutTests.matchAll(/^\| `(npm [^`]+)` +\|/gm)].map(
    ([, command]) => command,
  );
  const commands = Object.keys(scripts).filter((name) => /^test\b/.test(name));
  expect(explained.toSorted()).toEqual(
    commands.map((name) => (name === 'test' ? 'npm test' : `npm run ${name}`)).toSorted(),
  );
  expect(explained).toEqual(
    expect.arrayContaining(Object.values(levels).map((one) => one.command)),
  );
});

test('the page about tests explains every folder of test/', () => {
  const explained = [...aboutTests.matchAll(/^\| `([\w<>/-]+)\/` +\|/gm)].map(
    ([, folder]) => folder,
  );
  const expected = foldersIn('test').flatMap((folder) => {
    if (folder === 'artefacts') return [];
    if (folder === 'adapters') return ['adapters/<builder>'];
    if (!existsSync(join(root, 'plugin', folder))) return [folder];
    return foldersIn(`test/${folder}`).flatMap((part) => {
      const general = `<builder>/${part}`;
      return /^\d+$/.test(part)
        ? []
        : [explained.includes(general) ? general : `${folder}/${part}`];
    });
  });
  expect(explained.toSorted()).toEqual([...new Set(expected)].toSorted());
});

const inlineCommands = documents.flatMap((page) =>
  inlineCodeOf(readDocument(page))
    .filter((code) => /^(npm |[A-Z_]+=)/.test(code))
    .map((code) => ({ page, code })),
);

test.each(inlineCommands)('$page names the valid command $code', ({ code }) => {
  commandsIn(code).forEach(checkCommand);
});
