import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { createTable, findTable } from '../saltcorn/app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
} from '../saltcorn/host.ts';
import { describeWithPostgres, type Postgres, startPostgres } from './postgres.ts';

describeWithPostgres('on PostgreSQL, tenants of one Saltcorn', () => {
  let postgres: Postgres;
  let host: Host;
  let theirs: Sandbox;

  const asTenant = <T>(act: () => Promise<T>): Promise<T> =>
    saltcorn('data/db').runWithTenant('shop', act);

  beforeAll(async () => {
    [postgres, theirs] = await Promise.all([
      startPostgres(),
      startSandbox({ username: `AC${'1'.repeat(32)}`, password: 'another-secret-1', seed: 2 }),
    ]);
    host = await startSaltcorn(artefact, {
      DATABASE_URL: postgres.url,
      SALTCORN_MULTI_TENANT: 'true',
    });
    const { add_tenant, getState } = saltcorn('data/db/state');
    await getState().setConfig('tenants_unsafe_plugins', true);
    const { insertTenant, switchToTenant } = saltcorn('admin-models/models/tenant');
    add_tenant('shop');
    await switchToTenant(await insertTenant('shop'));
    const { username, password, url: baseUrl } = theirs;
    await asTenant(async () => {
      await model('plugin').loadAllPlugins();
      await installPlugin(artefact, { username, password, baseUrl });
      await createTable('calls', 'Telephony: Account Calls');
    });
    await createTable('calls', 'Telephony: Account Calls');
  }, 60_000);
  afterAll(async () => {
    await host?.close();
    await theirs?.close();
    await postgres?.close();
  });

  const sids = async () => {
    const rows = await findTable('calls').getRows({}, { limit: 20 });
    return rows.map(({ sid }: Loose) => sid);
  };
  const newest = ({ calls }: Sandbox) => calls.slice(0, 20).map(({ sid }) => sid);
  const secrets = async () => {
    const rows = await model('metadata').find({ type: 'Module secrets' });
    return rows.map(({ body }: Loose) => body);
  };

  test('each see the calls of their own account', async () => {
    expect(await sids()).toEqual(newest(host.sandbox));
    expect(await asTenant(sids)).toEqual(newest(theirs));
  });

  test('each have a password of their own', async () => {
    expect(await secrets()).toEqual([{ password: host.sandbox.password }]);
    expect(await asTenant(secrets)).toEqual([{ password: theirs.password }]);
  });
});
