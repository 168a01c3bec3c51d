import { levels } from './test/levels.mjs';

/** The folder of the Node-RED under test: the demo's, unless `NODE_RED` names another major version. */
function nodeRed() {
  const folders = new Map([
    ['4', 'demo/node-red'],
    ['5', 'test/node-red/5'],
  ]);
  const folder = folders.get(process.env.NODE_RED ?? '4');
  if (!folder) throw new Error(`NODE_RED can be ${[...folders.keys()].join(' or ')}.`);
  return folder;
}

/** A level without short rounds, because all levels run the long ones of the same tests. */
const withoutShortRounds = process.env.ROUNDS === 'long' ? ['\\.soak\\.test\\.ts$'] : [];

/** Packages that are ES modules only, which jest can't require. */
const esModules = 'p-limit/|yocto-queue/';

/** @type {import('jest').Config['transform'] & object} */
const typescript = {
  '\\.[mt]?[jt]s$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } }],
};

/**
 * One project per folder of `test/`, so that `npm run jest -- --selectProjects requests` runs only that one.
 *
 * @type {(name: string, options?: import('jest').Config) => import('jest').Config & { displayName: string }}
 */
const project = (name, options = {}) => ({
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testPathIgnorePatterns: ['/node_modules/', ...withoutShortRounds],
  testEnvironment: '<rootDir>/test/support/compile-once-environment.mjs',
  globals: { isSoak: false },
  transform: typescript,
  modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/dist/', '<rootDir>/.mutants/'],
  transformIgnorePatterns: [`/node_modules/(?!${esModules})`],
  ...options,
  displayName: name,
});

/**
 * For tests that call the modules of a builder. Each worker loads them once.
 *
 * @param {string} folder where the builder is installed
 * @returns {import('jest').Config}
 */
const inBuilder = (folder) => ({
  modulePaths: [`<rootDir>/${folder}/node_modules`],
  testEnvironment: '<rootDir>/test/support/builder-environment.mjs',
  transform: {
    [`/${folder}/node_modules/.+\\.[cm]?js$`]: '<rootDir>/test/support/builder-module.mjs',
    ...typescript,
  },
  transformIgnorePatterns: [`<rootDir>/node_modules/(?!${esModules})`],
});

export default {
  reporters: [
    'default',
    '<rootDir>/test/support/second-attempt-reporter.mjs', // before the next, which removes its list
    '<rootDir>/test/support/lack-reporter.mjs',
    '<rootDir>/test/support/end-reporter.mjs',
  ],
  testSequencer: '<rootDir>/test/support/longest-first-sequencer.mjs',
  maxWorkers: '100%',
  // In milliseconds. Generous for busy machines; a test that hangs still ends.
  testTimeout: 120_000,
  projects: [
    ...levels.fast.projects.map((name) => project(name)),
    project('descriptions'),
    project('package'),
    project('site'),
    project('saltcorn', inBuilder('demo/saltcorn')),
    project('node-red', inBuilder(nodeRed())),
    project('nocobase', {
      ...inBuilder('demo/nocobase'),
      setupFiles: ['<rootDir>/test/nocobase/log-to-console.ts'],
    }),
    project('n8n'),
    project('gateway'),
    project('budibase'),
    project('tooljet'),
    // These files run short rounds at their own level, and long ones here.
    project('soak', {
      testMatch: ['<rootDir>/test/**/*.soak.test.ts'],
      testPathIgnorePatterns: ['/node_modules/'],
      globals: { isSoak: true },
    }),
  ],
};
