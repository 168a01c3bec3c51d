/** What is mutated, folder by folder, those first in which a mistake is dearest. */
export const rooms = [
  'src/wire',
  'src/answer',
  'src/list',
  'src/input',
  'src/settings',
  'src/request',
  'src/field-types',
  'src/definition',
  'src/media',
  'src/*.ts',
  'plugin/saltcorn/where',
  'plugin/saltcorn/bulk',
  'plugin/saltcorn/data-source',
  'plugin/node-red/node',
  'plugin/node-red/data-source',
];

/**
 * The tests that are to notice the mutants of a folder. Those that take long and tell little more are left out.
 *
 * @type {[folder: string, tests: string[]][]}
 */
const noticers = [
  [
    'src',
    [
      'definitions/**',
      'requests/**',
      'faults/!(abort|fuzzed-*|hostile-server|many-messages|random-faults|secrets|secured)',
    ],
  ],
  ['plugin/saltcorn/where', ['saltcorn/where', 'saltcorn/filters', 'saltcorn/joins']],
  ['plugin/saltcorn/bulk', ['saltcorn/run-items', 'saltcorn/bulk*']],
  ['plugin/saltcorn/data-source', ['saltcorn/{filters,joins,tables,long-tables,page-patience}']],
  ['plugin/node-red', ['node-red/{inputs,operations,stop}']],
];

/**
 * The patterns of the files of tests that are to notice the mutants of a room.
 *
 * @param {string} room
 */
export function testsOf(room) {
  const found = noticers.find(([folder]) => room.startsWith(folder));
  if (!found) throw new Error(`Nothing notices mutants in ${room}: see test/mutants/rooms.mjs.`);
  return found[1].map((test) => `<rootDir>/test/${test}.test.ts`);
}

/**
 * Where what is found out of a room is kept, without the ending of a file.
 *
 * @param {string} room
 */
export const kept = (room) => `.mutants/${room.replaceAll(/[^a-z]+/g, '-')}`;
