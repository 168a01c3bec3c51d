import Sequencer from '@jest/test-sequencer';

/** Files that take longest: long rounds, then those that start a builder and a browser, then those that start a slow builder. */
const longest = [
  /\.soak\.test\.ts$/,
  /[\\/]promises\.test\.ts$/,
  /[\\/]browser[\\/]/,
  /[\\/](nocobase|n8n|site)[\\/]/,
];

/** @param {{ path: string }} test */
function rank({ path }) {
  const place = longest.findIndex((pattern) => pattern.test(path));
  return place < 0 ? longest.length : place;
}

/** Starts the longest files first, so that no worker waits for another at the end: in a new clone, jest knows only the files' sizes. */
export default class LongestFirstSequencer extends Sequencer {
  /**
   * @override
   * @param {Parameters<Sequencer['sort']>[0]} tests
   */
  async sort(tests) {
    return [...(await super.sort(tests))].sort((one, other) => rank(one) - rank(other));
  }
}
