/**
 * The folders and files to mutate, those with the costliest mistakes first, and the tests that should notice the
 * mutants: those of that code. Other tests reach it too, but a mutant that no test notices would cost the time of all
 * of them.
 *
 * @type {Map<string, string[]>}
 */
const noticers = new Map([
  ['src/wire/rate.ts', ['requests/rate']],
  [
    'src/wire/rate-limiter.ts',
    ['requests/{rate-limiter,rate-limiter-of}', 'faults/{rate,waiting}'],
  ],
  ['src/wire/retry.ts', ['requests/retry', 'faults/waiting']],
  ['src/send/with-retries.ts', ['requests/{lanes,permits,retry}', 'faults/waiting']],
  ['src/wire/service-clock.ts', ['requests/service-clock']],
  [
    'src/wire/node-sender.ts',
    ['requests/{answers,media,settings}', 'faults/{audio,compression,faults,node-sender}'],
  ],
  ['src/wire/{exchange-with,node-http,watch}.ts', ['faults/{faults,own-http}']],
  ['src/wire/client-of.ts', ['requests/{answers,media,operations}']],
  ['src/wire/connection.ts', ['requests/answers', 'faults/{concurrency,confirm}']],
  ['src/wire/send-request.ts', ['requests/{answers,media,retry}', 'faults/{confirm,faults}']],
  ['src/wire/exchanged.ts', ['faults/{agent-for,faults}']],
  ['src/wire/agent-for.ts', ['faults/agent-for']],
  ['src/response/read-date.ts', ['requests/read-date']],
  ['src/response/no-response-error.ts', ['faults/{faults,waiting}']],
  [
    'src/response',
    [
      'requests/{answers,for-builders,operations,read-record,without-secrets}',
      'faults/{compatible-services,faults,hostile-server,proxy,secrets,waiting}',
    ],
  ],
  [
    'src/records/{comparable,condition,matcher}.ts',
    ['requests/{condition,matches-filters}', 'adapters/saltcorn/where'],
  ],
  ['src/records/field-condition.ts', ['requests/matches-filters']],
  [
    'src/records/shared-pages.ts',
    ['adapters/nocobase/repository', 'adapters/saltcorn/recent-reads'],
  ],
  ['src/records', ['requests/{aggregate,condition}', 'adapters/nocobase/{read-filter,chart-rows}']],
  ['src/list/merged-pages.ts', ['requests/any-of']],
  ['src/list/hints.ts', ['requests/phone-numbers']],
  [
    'src/list',
    [
      'requests/{answers,operations,pages,prefetch}',
      'faults/{compatible-services,hostile-server,prefetch,recordings-of-a-caller}',
    ],
  ],
  ['src/input/filters.ts', ['requests/{any-of,input}']],
  ['src/input/check-input.ts', ['requests/{for-builders,plan-row}']],
  ['src/input', ['requests/{field-types,input,operations,pages,settings}']],
  ['src/text/settings-location.ts', ['requests/settings-location']],
  ['src/connection-test', ['requests/{answers,test-connection}']],
  ['src/settings', ['requests/{settings,stored-secrets,test-connection}']],
  ['src/query/query-fields.ts', ['requests/read-query']],
  ['src/request', ['requests/{input,operations,pages,settings}']],
  ['src/field-types/phone.ts', ['requests/{phone-numbers,same-phone,settings}']],
  ['src/field-types', ['requests/{day-in,matches-filters,field-types,input,operations,settings}']],
  ['src/definition/fields.ts', ['requests/for-builders']],
  [
    'src/definition',
    [
      'definitions/**',
      'requests/{matches-filters,for-builders,input,media,operations,pages}',
      'events/events',
    ],
  ],
  ['src/media/media-kinds.ts', ['requests/{for-builders,media}']],
  ['src/media', ['requests/media', 'faults/{send-media,audio}']],
  ['src/confirm', ['requests/{answers,find-in-log,ledger,operations,retry}', 'faults/confirm']],
  [
    'src/batch',
    [
      'requests/{batch-limits,batch-text,batch-view,continue-batch,plan-row,row-summary,run-items,run-rows}',
      'faults/{batches,rows}',
    ],
  ],
  ['src/events/receive/receive-events.ts', ['events/{receive,http}']],
  ['src/events/deliver/telephony-event.ts', ['events/waiting-reply']],
  ['src/events/deliver/waiting-reply.ts', ['events/waiting-reply']],
  ['src/events/poll/{new-events,poll-events}.ts', ['events/poll']],
  ['src/events/poll/cursor.ts', ['events/poll']],
  ['src/events/poll/polled-event.ts', ['events/poll']],
  ['src/events/poll/read-list.ts', ['events/poll']],
  ['src/events/receive/one-at-a-time.ts', ['events/one-at-a-time']],
  ['src/events', ['events/**']],
  [
    'src/connect.ts',
    [
      'requests/{connect,input,media,operations,pages,prefetch,retry,run-rows,test-connection}',
      'faults/{recordings-of-a-caller,waiting}',
    ],
  ],
  ['src/send/perform.ts', ['requests/{answers,permits,retry}', 'faults/waiting']],
  ['src/async/follow.ts', ['faults/{forgotten-signal,waiting}', 'requests/retry']],
  ['src/async/combined.ts', ['requests/combined']],
  ['src/async/once.ts', ['requests/{answers,once-within}']],
  ['src/text/sms-segments.ts', ['requests/sms-segments']],
  ['src/telephony-error.ts', ['requests/{answers,for-builders}']],
  ['src/async/within.ts', ['events/{poll,receive}']],
  ['plugin/saltcorn/where', ['saltcorn/process/{filters,joins}', 'adapters/saltcorn/where']],
  ['plugin/saltcorn/bulk/chosen-rows.ts', ['saltcorn/process/chosen-rows']],
  ['plugin/saltcorn/bulk/shown-rows.ts', ['saltcorn/process/chosen-rows']],
  ['plugin/saltcorn/bulk/formula.ts', ['saltcorn/process/chosen-rows']],
  ['plugin/saltcorn/bulk/rows-fields.ts', ['saltcorn/process/rows-fields']],
  ['plugin/saltcorn/bulk/columns-of.ts', ['adapters/saltcorn/columns-of']],
  ['plugin/saltcorn/bulk/plan.ts', ['saltcorn/process/plan']],
  ['plugin/saltcorn/bulk/row-notes.ts', ['saltcorn/process/row-notes']],
  ['plugin/saltcorn/bulk/run-page.ts', ['saltcorn/process/run-page']],
  ['plugin/saltcorn/bulk/bulk-run.ts', ['saltcorn/process/bulk-run']],
  [
    'plugin/saltcorn/bulk',
    ['saltcorn/process/{bulk,bulk-notes,bulk-rows,bulk-run}', 'adapters/saltcorn/run-on-account'],
  ],
  [
    'plugin/saltcorn/data-source',
    ['saltcorn/process/{filters,joins,tables,long-tables,page-timeout}'],
  ],
  ['plugin/node-red/node/read-input.ts', ['node-red/process/inputs']],
  [
    'plugin/node-red/node/status-line.ts',
    ['node-red/process/operations', 'adapters/node-red/status-line'],
  ],
  ['plugin/node-red/batch', ['node-red/process/batch']],
  ['plugin/node-red/node/handle-message.ts', ['node-red/process/handle-message']],
  ['plugin/node-red/node/report.ts', ['adapters/node-red/report']],
  ['plugin/node-red/node/runs.ts', ['adapters/node-red/runs']],
  ['plugin/node-red/node/{outgoing,result-property}.ts', ['node-red/process/outgoing']],
  ['plugin/node-red/node', ['node-red/process/{inputs,log,operations,stop}']],
  ['plugin/node-red/data-source/record-limit.ts', ['adapters/node-red/record-limit']],
  ['plugin/node-red/data-source', ['node-red/process/{inputs,operations,stop}']],
  [
    'plugin/nocobase/server/bulk/{plan,selected-rows}.ts',
    ['adapters/nocobase/{plan,selected-rows}'],
  ],
  ['plugin/nocobase/server/bulk/bulk-run.ts', ['nocobase/process/bulk-run']],
  ['plugin/nocobase/server/data-source/read-filter.ts', ['adapters/nocobase/read-filter']],
  [
    'plugin/nocobase/server/data-source/{list-reader,list-readers,repository,unless-left}.ts',
    ['adapters/nocobase/repository'],
  ],
  ['plugin/nocobase/server/media/tickets.ts', ['nocobase/process/tickets']],
]);

/**
 * The requested rooms: those in a folder, or a single file.
 *
 * @param {string} place
 */
export function roomsOf(place) {
  const within = [...noticers.keys()].filter((room) => room.startsWith(place));
  return within.length > 0 ? within : [place];
}

/**
 * The files of a folder that are separate rooms, because other tests cover them.
 *
 * @param {string} folder
 */
export const filesApart = (folder) =>
  [...noticers.keys()].filter((room) => room.startsWith(`${folder}/`));

/**
 * The tests that should notice the mutants of a room or file: globs in `test/`, without `.test.ts`.
 *
 * @param {string} place
 */
export const noticersOf = (place) =>
  [...noticers].find(([room]) => place.startsWith(room))?.[1] ?? [];

/**
 * The patterns of the test files that should notice the mutants of a room.
 *
 * @param {string} room
 */
export function testsOf(room) {
  const tests = noticersOf(room);
  if (tests.length === 0)
    throw new Error(`Nothing notices mutants in ${room}: see test/mutants/rooms.mjs.`);
  return tests.map((test) => `<rootDir>/test/${test}.test.ts`);
}

/**
 * The path, without extension, at which the results of a room are stored.
 *
 * @param {string} room
 */
export const kept = (room) => `.mutants/${room.replaceAll(/[^a-z]+/g, '-')}`;
