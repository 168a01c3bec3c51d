/**
 * Has jest take a builder's modules from Node itself, which keeps them for all test files of a worker.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
export default {
  process: (_, file) => ({
    code: `module.exports = worker.require(${JSON.stringify(file)});`,
  }),
};
