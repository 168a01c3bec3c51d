// TypeScript takes a bare `require` for an import, which a file that Stryker requires cannot have.
const here = /** @type {any} */ (module);

/** What the level of the tests runs in. */
const { TestEnvironment } = here.require(process.env.MUTANTS_IN ?? 'jest-environment-node');

/** Skips the tests of a file that come after one that noticed the mutant. */
module.exports = class extends TestEnvironment {
  #hasFailed = false;

  /** @param {any[]} about */
  constructor(...about) {
    super(...about);
    // A builder's modules stay loaded, and would go on with the mutant of the run before.
    Reflect.deleteProperty(globalThis, '__stryker__');
  }

  /** @param {{ name: string, test: { mode: string } }} event of jest-circus */
  handleTestEvent({ name, test }) {
    if (!process.env.__STRYKER_ACTIVE_MUTANT__) return;
    if (name === 'test_fn_failure' || name === 'hook_failure') this.#hasFailed = true;
    if (name === 'test_start' && this.#hasFailed) test.mode = 'skip';
  }
};
