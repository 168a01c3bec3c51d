import { join } from 'node:path';
import jestConfig from '../../jest.config.mjs';
import { testsOf } from './rooms.mjs';

const room = process.env.MUTANTS_OF ?? '';
const tests = testsOf(room);

/** The jest project of the tests, for its setup. */
const level = jestConfig.projects.find(({ displayName }) =>
  tests[0]?.startsWith(`<rootDir>/test/${displayName}/`),
);

if (level?.testEnvironment?.startsWith('<rootDir>'))
  process.env.MUTANTS_IN = join(
    import.meta.dirname,
    level.testEnvironment.replace('<rootDir>', '../..'),
  );

// Mistakes about time zones show only outside UTC.
process.env.TZ = 'America/New_York';

export default {
  ...level,
  rootDir: '../..',
  // Stryker supports only one project.
  testMatch: tests,
  roots: ['generated', 'plugin', 'src', 'test'].map((folder) => `<rootDir>/${folder}`),
  runner: '<rootDir>/test/mutants/runner.mjs',
  testEnvironment: join(import.meta.dirname, 'environment.cjs'),
  // In milliseconds. A mutant often makes a test wait forever, but a busy machine also slows down the others.
  testTimeout: 60_000,
  watchman: false,
};
