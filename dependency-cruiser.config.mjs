/** The rooms of `src/`, from the top to the bottom: a file imports only what is in its own room or further down. */
const rooms = [
  ...['(index|builder)\\.ts', 'query/', 'connection-test/test-settings\\.ts', 'connect\\.ts'],
  // Only types: what the functions that `connect` returns take and return.
  'telephony\\.ts',
  ...['connection-test/', 'events/numbers/', 'events/(receive|poll)/', 'events/deliver/'],
  ...['batch/', 'confirm/', 'click/', 'limits/', 'status/', 'media/', 'list/', 'records/', 'send/'],
  ...['request/', 'response/', 'wire/', 'settings/', 'input/', 'definition/', 'field-types/'],
  ...['store/', 'telephony-error\\.ts', 'text/', 'async/'],
];

/** @param {string} room */
const inSrc = (room) => `^src/${room}`;

/**
 * The rule that a room imports nothing above it, but the type of an account.
 *
 * @param {string} room
 * @param {number} index how many rooms but one are above it
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const downFrom = (room, index) => ({
  name: `down-from-${room.replaceAll(/\W+/g, '-')}`,
  comment: 'Imports in src/ go down: see `rooms` above.',
  severity: 'error',
  from: { path: inSrc(room), pathNot: rooms.slice(0, index + 1).map(inSrc) },
  to: {
    path: rooms.slice(0, index + 1).map(inSrc),
    pathNot: [inSrc(room), inSrc('telephony\\.ts$')],
  },
});

/**
 * Which way imports go: plugin -> src -> generated, an adapter by src/builder.ts only, and never in a circle.
 *
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-circle',
      comment: 'Files that need each other are one file, or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'adapters-know-one-entry-point-only',
      comment: 'What an adapter needs stands in src/builder.ts, where the next one looks for it.',
      severity: 'error',
      from: { path: '^(plugin/|test/adapters/tiny/adapter)' },
      to: { path: '^(src/(?!builder\\.ts$)|generated/)' },
    },
    {
      name: 'adapters-stand-alone',
      comment: 'What two adapters need stands in src/.',
      severity: 'error',
      from: { path: '^plugin/([^/]+)/' },
      to: { path: '^plugin/', pathNot: '^plugin/$1/' },
    },
    {
      name: 'src-knows-no-builder',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(plugin|schema|demo|test|bench)/' },
    },
    {
      name: 'generated-stands-alone',
      severity: 'error',
      from: { path: '^generated/' },
      to: { path: '^(src|plugin|schema)/' },
    },
    {
      name: 'inside-src-the-entry-points-are-not-used',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/builder\\.ts$' },
      to: { path: '^src/(index|builder)\\.ts$' },
    },
    {
      name: 'events-are-received-or-polled',
      comment: 'What both need is in src/events/deliver/.',
      severity: 'error',
      from: { path: '^src/events/(receive|poll)/' },
      to: { path: '^src/events/(receive|poll)/', pathNot: '^src/events/$1/' },
    },
    ...rooms.slice(1).map(downFrom),
    {
      name: 'every-room-is-listed',
      comment: 'Add the room to `rooms` above.',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: rooms.map(inSrc) },
    },
    {
      name: 'found',
      comment: 'An import that cannot be resolved is not checked.',
      severity: 'error',
      from: { path: '^(src|plugin|generated)/' },
      to: {
        couldNotResolve: true,
        pathNot: '^(@saltcorn/|@nocobase/|(react|antd|dayjs|n8n-workflow|node:sqlite)$)',
      },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'default'] },
  },
};
