import { nodeRed } from './node-red/builder.mjs';
import { install } from './npm-ci.mjs';
import { saltcorn } from './saltcorn/builder.mjs';

/**
 * A builder to try the plugin in. Its folder has a package.json, with a lock, and a `serve.cjs` that boots it and sends
 * `{ url, ownAccount }` to its parent.
 *
 * @typedef {object} Builder
 * @property {string} name for people
 * @property {string} folder
 * @property {string} size of its installation, and how long that takes
 * @property {(context: Context) => (string | number)[]} args of its `serve.cjs`
 * @property {(context: Context) => Record<string, string>} env what its `serve.cjs` finds in the environment besides
 * @property {(url: string) => [label: string, url: string][]} pages what to open
 * @property {string[]} tryFirst what to do there first
 *
 * @typedef {object} Context
 * @property {string} home the folder that keeps all of the builder's
 * @property {number} port
 * @property {{ email: string, password: string }} login
 * @property {string} plugin the folder of the package to try
 * @property {object | undefined} account the settings of a real account
 * @property {object | undefined} sandboxAccount the settings that lead to the sandbox
 */

/** @satisfies {Record<string, Builder>} */
export const builders = { saltcorn, 'node-red': nodeRed };

/** @param {Builder} builder */
export const installBuilder = ({ name, folder, size }) =>
  install(folder, `Installing ${name}, once: ${size}`);
