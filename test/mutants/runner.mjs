import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import TestRunner from 'jest-runner';

/** @typedef {Parameters<TestRunner['runTests']>} Arguments */

/**
 * A test file: how long it takes, in milliseconds, and the names of its tests.
 *
 * @typedef {{ time: number, names: string[] }} Known
 */

/**
 * The files whose tests noticed a mutant, latest first: the same tests usually notice the next mutant.
 *
 * @type {string[]}
 */
const noticed = [];

/** @param {string} path */
function notice(path) {
  if (noticed.includes(path)) noticed.splice(noticed.indexOf(path), 1);
  noticed.unshift(path);
}

/** @param {string} path */
const rank = (path) => (noticed.includes(path) ? noticed.indexOf(path) : noticed.length);

/**
 * Stryker selects tests only by name, so jest would load every file for every mutant. This runner loads only the files
 * with such a test, the likeliest first, until one of them notices the mutant.
 */
export default class extends TestRunner {
  /**
   * @override
   * @param {Arguments} rest
   */
  async runTests(...rest) {
    const [tests] = rest;
    const file = join(tests[0]?.context.config.rootDir ?? '', '.tests-by-file.json');
    return process.env.__STRYKER_ACTIVE_MUTANT__ && existsSync(file)
      ? this.#runUntilNoticed(new Map(JSON.parse(readFileSync(file, 'utf8'))), rest)
      : this.#runAll(file, rest);
  }

  /**
   * @param {string} file where to store the times and names of the tests
   * @param {Arguments} rest
   */
  async #runAll(file, rest) {
    /** @type {[path: string, known: Known][]} */
    const all = [];
    this.on('test-file-success', ([{ path }, { perfStats, testResults }]) => {
      const names = testResults.map(({ fullName }) => fullName);
      all.push([path, { time: perfStats.runtime, names }]);
    });
    await super.runTests(...rest);
    writeFileSync(file, JSON.stringify(all));
  }

  /**
   * @param {Map<string, Known>} known
   * @param {Arguments} rest
   */
  async #runUntilNoticed(known, [tests, ...rest]) {
    const asked = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
    /** @param {{ path: string }} test */
    const timeOf = ({ path }) => known.get(path)?.time ?? 0;
    const chosen = tests
      .filter(({ path }) => known.get(path)?.names.some((name) => asked.test(name)))
      .sort((a, b) => rank(a.path) - rank(b.path) || timeOf(a) - timeOf(b));
    let isNoticed = false;
    this.on('test-file-success', ([, { numFailingTests }]) => {
      isNoticed ||= numFailingTests > 0;
    });
    this.on('test-file-failure', () => {
      isNoticed = true;
    });
    for (const test of chosen) {
      await super.runTests([test], ...rest);
      if (isNoticed) return notice(test.path);
    }
  }
}
