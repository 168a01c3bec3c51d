/**
 * Runs the process tests of Node-RED in Node-RED 5, on a Node that is new enough for it: `npm run test:node-red-5`. Both are
 * installed first, unless they are there. What follows `--` is passed to jest.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { install } from '../../../demo/npm-ci.mjs';

const folder = import.meta.dirname;
const root = resolve(folder, '../../..');

await install(folder, 'Installing Node-RED 5 and its Node, once: 300 MB, half a minute');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const jest = [
  'node_modules/jest/bin/jest.js',
  'test/node-red/process',
  '--selectProjects',
  'node-red',
];
const { status } = spawnSync(
  join(folder, 'node_modules/node/bin/node'),
  [...flags, ...jest, ...process.argv.slice(2)],
  { cwd: root, env: { ...process.env, NODE_RED: '5' }, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
