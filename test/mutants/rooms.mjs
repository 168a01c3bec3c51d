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
  'src/confirm',
  'src/rows',
  'src/events',
  'src/*.ts',
  'plugin/saltcorn/where',
  'plugin/saltcorn/bulk',
  'plugin/saltcorn/data-source',
  'plugin/node-red/node',
  'plugin/node-red/data-source',
];

/**
 * The tests that are to notice the mutants of a folder: those that are about it. Others reach it too, but a mutant that no
 * test notices costs the time of all of them.
 *
 * @type {[folder: string, tests: string[]][]}
 */
const noticers = [
  [
    'src/wire',
    [
      'requests/{answers,pace,rate,retry,settings}',
      'faults/{compression,concurrency,faults,forgotten-signal,proxy,waiting}',
    ],
  ],
  [
    'src/answer',
    [
      'requests/{answers,for-builders,operations,read-date,read-record}',
      'faults/{compatible-services,faults,hostile-server,proxy,secrets,waiting}',
    ],
  ],
  [
    'src/list',
    [
      'requests/{answers,asked-for,operations,pages,prefetch}',
      'faults/{compatible-services,hostile-server,prefetch,recordings-of-a-caller}',
    ],
  ],
  ['src/settings', ['requests/{settings,stored-secrets,test-connection}']],
  ['src/request', ['requests/{input,operations,pages,settings}']],
  ['src/field-types', ['requests/{asked-for,field-types,input,operations,settings,types}']],
  [
    'src/definition',
    [
      'definitions/**',
      'requests/{asked-for,for-builders,input,media,operations,pages,types}',
      'events/events',
    ],
  ],
  ['src/media', ['requests/media', 'faults/{send-media,sound}']],
  ['src/confirm', ['requests/{answers,ledger,operations,retry}', 'faults/confirm']],
  ['src/rows', ['requests/{plan-row,run-items}', 'faults/rows']],
  ['src/events', ['events/**']],
  [
    'src',
    [
      'requests/{answers,for-builders,input,media,once-within,operations,pages,prefetch,retry,settings,sms-segments,test-connection}',
      'faults/{concurrency,forgotten-signal,waiting}',
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
