import { join } from 'node:path';
import jestConfig from '../../jest.config.mjs';
import { testsOf } from './rooms.mjs';

const room = process.env.MUTANTS_OF ?? '';
const tests = testsOf(room);

/** The project whose tests they are, for what it needs. */
const level = jestConfig.projects.find(({ displayName }) =>
  tests[0]?.startsWith(`<rootDir>/test/${displayName}/`),
);

if (level?.testEnvironment?.startsWith('<rootDir>'))
  process.env.MUTANTS_IN = join(
    import.meta.dirname,
    level.testEnvironment.replace('<rootDir>', '../..'),
  );

// A mistake about time zones shows where it is not UTC.
process.env.TZ = 'America/New_York';

export default {
  ...level,
  rootDir: '../..',
  // Stryker knows but one project.
  testMatch: tests,
  roots: ['generated', 'plugin', 'src', 'test'].map((folder) => `<rootDir>/${folder}`),
  runner: '<rootDir>/test/mutants/runner.mjs',
  testEnvironment: join(import.meta.dirname, 'environment.cjs'),
  // In milliseconds: a mutant often has a test wait for ever, but others are slow beside what else the machine does.
  testTimeout: 60_000,
  watchman: false,
};
