/**
 * A level is what one command tests. The fast level needs no builder, browser or database.
 *
 * @typedef {object} Level
 * @property {string} command runs it
 * @property {string} what it tests, in a few words
 * @property {string[]} projects of `jest.config.mjs`
 * @property {string[]} builds what it tests of `dist/`: `library`, and folders of `plugin/`
 * @property {string[]} builders that have to be installed for it
 * @property {string} [tools] the folder of packages that only it needs
 */

/** @satisfies {Record<string, Level>} */
export const levels = {
  fast: {
    command: 'npm test',
    what: 'everything that needs no builder, browser or database',
    projects: ['definitions', 'requests', 'events', 'sandbox', 'library', 'faults', 'adapters'],
    builds: ['library'],
    builders: [],
  },
  saltcorn: {
    command: 'npm run test:saltcorn',
    what: 'the built package in Saltcorn',
    projects: ['saltcorn'],
    builds: ['saltcorn'],
    builders: ['saltcorn'],
  },
  'node-red': {
    command: 'npm run test:node-red',
    what: 'the built package in Node-RED',
    projects: ['node-red'],
    builds: ['node-red'],
    builders: ['node-red'],
  },
  nocobase: {
    command: 'npm run test:nocobase',
    what: 'the built package in NocoBase',
    projects: ['nocobase'],
    builds: ['nocobase'],
    builders: ['nocobase'],
  },
  descriptions: {
    command: 'npm run test:descriptions',
    what: 'what is published: the OpenAPI documents by validators and a generated client, the npm package, the site of the pages',
    projects: ['descriptions', 'package', 'site'],
    builds: ['library', 'openapi'],
    builders: [],
    tools: 'test/descriptions/tools',
  },
  n8n: {
    command: 'npm run test:n8n',
    what: 'the built package in n8n',
    projects: ['n8n'],
    builds: ['n8n'],
    builders: ['n8n'],
    tools: 'test/n8n/tools',
  },
  gateway: {
    command: 'npm run test:gateway',
    what: 'the gateway: HTTP and MCP, also with several processes on PostgreSQL',
    projects: ['gateway'],
    builds: ['gateway'],
    builders: [],
  },
  budibase: {
    command: 'npm run test:budibase',
    what: "the built packages: Budibase's validator, and the processes in which it and ToolJet run queries",
    projects: ['budibase', 'tooljet'],
    builds: ['budibase', 'tooljet'],
    builders: [],
    tools: 'test/budibase/tools',
  },
  soak: {
    command: 'npm run test:soak',
    what: 'kills, fuzzing, random faults and thousands of messages, in long rounds',
    projects: ['soak'],
    builds: ['saltcorn', 'node-red'],
    builders: ['saltcorn', 'node-red'],
  },
};
