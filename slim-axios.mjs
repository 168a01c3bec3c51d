const stub = (contents) => () => ({ contents });

/**
 * An esbuild plugin: axios without its own ways to send, which are not used here, and without what only they need, such
 * as form-data, follow-redirects and the agents of proxies. It is what axios leaves out for browsers too.
 */
export const slimAxios = {
  name: 'slim-axios',
  setup({ onLoad }) {
    onLoad(
      { filter: /axios[\\/]lib[\\/]adapters[\\/]adapters\.js$/ },
      stub('export default { getAdapter: (adapter) => adapter };'),
    );
    onLoad(
      { filter: /axios[\\/]lib[\\/]platform[\\/]node[\\/]classes[\\/]FormData\.js$/ },
      stub('export default null;'),
    );
  },
};
