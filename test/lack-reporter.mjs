import { tsImport } from 'tsx/esm/api';

/**
 * Says at the end which tests were skipped for what this machine lacks, and how to get that. Where all has to be
 * tested, that is a failure.
 */
export default class LackReporter {
  /** @type {string[]} */
  #lacks = [];

  /** @param {unknown} _ @param {import('@jest/reporters').AggregatedResult} results */
  async onRunComplete(_, { testResults }) {
    /** @type {typeof import('./needs.ts')} */
    const { needs } = await tsImport('./needs.ts', import.meta.url);
    const skipped = new Set(
      testResults.flatMap(({ numPendingTests, displayName }) =>
        numPendingTests > 0 && displayName ? [displayName.name] : [],
      ),
    );
    this.#lacks = Object.values(needs).flatMap(({ name, levels, path, advice }) => {
      const concerned = levels.filter((level) => skipped.has(level));
      if (path !== undefined || concerned.length === 0) return [];
      return [`Skipped without ${name}: ${concerned.join(', ')}. ${advice}`];
    });
    // After the counts, which jest has not written yet.
    if (this.#lacks.length > 0)
      process.once('exit', () => console.error(`\n${this.#lacks.join('\n')}`));
  }

  getLastError() {
    if (process.env.CI && this.#lacks.length > 0) return new Error('In CI no level is skipped.');
    return undefined;
  }
}
