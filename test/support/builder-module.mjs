/**
 * Makes jest load a builder's modules by Node, which caches them for all test files of a worker.
 *
 * @type {import('@jest/transform').SyncTransformer}
 */
export default {
  process: (_, file) => ({
    code: `module.exports = worker.require(${JSON.stringify(file)});`,
  }),
};
