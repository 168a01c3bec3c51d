import { filesApart, kept } from './rooms.mjs';

/** The folder or the files to mutate. */
const room = process.env.MUTANTS_OF ?? '';

/** The first request loads this module, so per-test coverage would assign all of it to the first test. */
const isLoadedLate = room === 'src/wire/node-sender.ts';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: room.endsWith('.ts')
    ? [room]
    : [`${room}/**/*.ts`, ...filesApart(room).map((file) => `!${file}`)],
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutants/jest.config.mjs', enableFindRelatedTests: false },
  // Builders load the build. It contains the mutants, too, and an environment variable activates one.
  ...(room.startsWith('plugin/') ? { buildCommand: 'npm run build' } : {}),
  coverageAnalysis: isLoadedLate ? 'all' : 'perTest',
  ignoreStatic: !isLoadedLate,
  ignorePatterns: ['/dist', '/.demo', '/.mutants', '/test/artefacts'],
  // TypeScript 7 lacks the API that Stryker uses.
  tsconfigFile: 'none',
  tempDirName: '.mutants/sandbox',
  incremental: true,
  incrementalFile: `${kept(room)}.json`,
  concurrency: 1,
  // In milliseconds, in addition to the duration of the tests.
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  jsonReporter: { fileName: `${kept(room)}-report.json` },
  htmlReporter: { fileName: `${kept(room)}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
