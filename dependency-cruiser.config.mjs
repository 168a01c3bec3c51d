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
  },
};
