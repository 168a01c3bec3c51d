import { join } from 'node:path';
import { failureOf } from '../support/failure-of.ts';
import { runsQueries } from '../support/runs-queries.ts';
import { until } from '../support/until.ts';
import { load, openFarm } from './farm.ts';
import { unpack } from './unpack.ts';

const { files, schema, plugin } = unpack();

describe('The package', () => {
  test('contains what Budibase unpacks', () => {
    expect(files).toEqual(
      expect.arrayContaining(['icon.svg', 'package.json', 'plugin.min.js', 'schema.json']),
    );
  });

  test('is accepted by Budibase’s validator', () => {
    const { validate } = load('@budibase/backend-core/plugins');
    expect(() => validate(schema)).not.toThrow();
    const { friendlyName: _, ...unnamed } = schema.schema;
    expect(() => validate({ ...schema, schema: unnamed })).toThrow('friendlyName');
  });

  test('describes a list and an action', () => {
    const { query } = schema.schema;
    expect(query['calls-by-caller-id']).toMatchObject({
      ...{ type: 'fields', displayName: 'Calls by caller id', readable: true },
      fields: {
        status: { type: 'string', required: false, display: 'Status (* for all)' },
        from: { type: 'string', required: false, display: 'From (* for all)' },
        limit: { type: 'number', required: false, display: 'Limit (100 if empty)' },
      },
    });
    expect(query['send-sms']).toEqual({
      ...{ type: 'fields', displayName: 'Send SMS', readable: false },
      fields: {
        from: { type: 'string', required: true, display: 'From' },
        to: { type: 'string', required: true, display: 'To' },
        body: { type: 'longForm', required: true, display: 'Body' },
      },
    });
  });
});

runsQueries(() => {
  const farm = openFarm();
  const run = (kind: string, query: object, settings: object | undefined) =>
    farm.run({ plugin, settings, kind, query });
  return {
    run: async (id, values, settings) => (await run(id, values, settings)) as object[],
    async runAfterKill(id, values, settings, hasSent) {
      const failure = failureOf(run(id, values, settings));
      await until(hasSent);
      for (const child of farm.children) child.kill('SIGKILL');
      // Budibase runs the query again.
      return failure;
    },
    async testConnection(settings) {
      const result = (await run('testConnection', {}, settings)) as Record<string, unknown>;
      expect(Object.keys(result)).toEqual(
        result.connected ? ['connected'] : ['connected', 'error'],
      );
      return String(result.error ?? '');
    },
    store: join(farm.folder, 'budibase-telephony'),
  };
});
