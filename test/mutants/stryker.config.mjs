import { filesApart, kept } from './rooms.mjs';

/** The folder, or the files, that are mutated. */
const room = process.env.MUTANTS_OF ?? '';

/** What is loaded with the first request, and not with the tests, would seem to be what the first test alone is about. */
const isLoadedLate = room === 'src/wire/decompress.ts';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: room.endsWith('.ts')
    ? [room]
    : [`${room}/**/*.ts`, ...filesApart(room).map((file) => `!${file}`)],
  plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: { configFile: 'test/mutants/jest.config.mjs', enableFindRelatedTests: false },
  // Builders load what was built. It holds the mutants too, and the environment says which one is awake.
  ...(room.startsWith('plugin/') ? { buildCommand: 'npm run build' } : {}),
  coverageAnalysis: isLoadedLate ? 'all' : 'perTest',
  ignoreStatic: !isLoadedLate,
  ignorePatterns: ['/dist', '/.demo', '/.mutants', '/test/artefacts'],
  // TypeScript 7 lacks what Stryker reads it with.
  tsconfigFile: 'none',
  tempDirName: '.mutants/sandbox',
  incremental: true,
  incrementalFile: `${kept(room)}.json`,
  concurrency: 1,
  // In milliseconds, beyond what the tests take.
  timeoutMS: 10_000,
  reporters: ['progress-append-only', 'clear-text', 'json', 'html'],
  jsonReporter: { fileName: `${kept(room)}-report.json` },
  htmlReporter: { fileName: `${kept(room)}.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
};
