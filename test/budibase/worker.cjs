/**
 * Runs a query like Budibase: loads the plugin from a file without an extension, creates its data source, and calls the method that is
 * named like the query's kind.
 *
 * @param {{ plugin: string, settings: object, kind: string, query: object }} job
 * @param {(error: Error | null, rows?: unknown) => void} done
 */
exports.execute = ({ plugin, settings, kind, query }, done) => {
  const { integration: Integration } = require(plugin);
  new Integration(settings)
    [kind](query)
    .then((/** @type {unknown} */ rows) => done(null, rows), done);
};
