import { existsSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const root = process.cwd();

/**
 * Lists failed files, and what failed in each, in the file that `FAILED` names, if only browser tests failed: `test/run.mjs` runs
 * these once more. Without such a file, a failure is final.
 */
export default class SecondAttemptReporter {
  /**
   * @param {unknown} _
   * @param {import('@jest/reporters').AggregatedResult} results
   */
  onRunComplete(_, { testResults, wasInterrupted }) {
    const { FAILED, LACKS } = process.env;
    const failed = testResults.filter(({ failureMessage }) => failureMessage);
    const isFinal =
      wasInterrupted ||
      (LACKS && existsSync(LACKS)) ||
      failed.some(({ testFilePath }) => !/[\\/]browser[\\/]/.test(testFilePath));
    if (!FAILED || isFinal || failed.length === 0) return;
    const list = failed.map(({ testFilePath, failureMessage }) => [
      relative(root, testFilePath),
      failureMessage,
    ]);
    writeFileSync(FAILED, JSON.stringify(list));
  }
}
