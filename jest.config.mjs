// One project a test level, so that `npm run jest -- --selectProjects requests` runs just that level.
/** @type {(name: string, options?: { modulePaths?: string[] }) => import('jest').Config & { displayName: string }} */
const level = (name, options = {}) => ({
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  testEnvironment: 'node',
  transform: {
    '\\.[mt]?[jt]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' } },
    ],
  },
  modulePathIgnorePatterns: ['<rootDir>/.demo/', '<rootDir>/dist/', '<rootDir>/.mutants/'],
  // These two come as ES modules only, which jest cannot require.
  transformIgnorePatterns: ['/node_modules/(?!p-limit/|yocto-queue/)'],
  ...options,
});

/** Where the Node-RED is that is tested: the one of the demo, unless the environment names another major version. */
function nodeRed() {
  const folders = new Map([
    ['4', 'demo/node-red'],
    ['5', 'test/node-red/5'],
  ]);
  const folder = folders.get(process.env.NODE_RED ?? '4');
  if (!folder) throw new Error(`NODE_RED can be ${[...folders.keys()].join(' or ')}.`);
  return folder;
}

export default {
  reporters: ['default', '<rootDir>/test/lack-reporter.mjs', '<rootDir>/test/end-reporter.mjs'],
  // In milliseconds: for a slow machine beside other work, since what hangs is to end all the same.
  testTimeout: 120_000,
  projects: [
    level('definitions'),
    level('requests'),
    level('events'),
    level('faults'),
    level('sandbox'),
    level('demo'),
    level('library'),
    level('saltcorn', { modulePaths: ['<rootDir>/demo/saltcorn/node_modules'] }),
    level('node-red', { modulePaths: [`<rootDir>/${nodeRed()}/node_modules`] }),
    level('nocobase'),
    level('browser'),
    level('promises'),
    level('workers', { modulePaths: ['<rootDir>/demo/saltcorn/node_modules'] }),
  ],
};
