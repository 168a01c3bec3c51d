import { IncomingMessage } from 'node:http';
import { type DeliveryLog, openSecrets, storeHash } from '../../../src/builder.ts';
import { parametersOf } from '../../events/fixtures.ts';
import { eventIdentity, keepsDeliveries } from '../../events/keeps-deliveries.ts';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { createTable, createTrigger, findTable } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite } from '../website.ts';

describe('on PostgreSQL, tenants of one Saltcorn', () => {
  let host: Host;
  let theirs: Sandbox;
  let deliveryLogOf: () => DeliveryLog;

  const asTenant = <T>(act: () => Promise<T>): Promise<T> =>
    saltcorn('data/db').runWithTenant('shop', act);

  beforeAll(async () => {
    theirs = await openSandbox({
      username: `AC${'1'.repeat(32)}`,
      password: 'another-secret-1',
      seed: 2,
    });
    host = await startSaltcorn(artefact, {
      DATABASE_URL: await startPostgres(),
      SALTCORN_MULTI_TENANT: 'true',
    });
    ({ deliveryLogOf } = require('../../../plugin/saltcorn/event/delivery-log.ts'));
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
  });

  const sids = async () => {
    const rows = await findTable('calls').getRows({}, { limit: 20 });
    return rows.map(({ sid }: Loose) => sid);
  };
  const newest = ({ calls }: Sandbox) => calls.slice(0, 20).map(({ sid }) => sid);
  const secrets = async () => {
    const rows = await model('metadata').find({ type: 'Module secrets' });
    const owner = [saltcorn('data/db').getTenantSchema()];
    return rows.map(({ body }: Loose) => openSecrets(body.sealed, 'session', owner));
  };

  describe('the delivery log', () => {
    keepsDeliveries(async () => {
      await deliveryLogOf().begin(eventIdentity('SM0', 0));
      await saltcorn('data/db').query('delete from public.telephony_store');
      return deliveryLogOf();
    });
  });

  test('each have their own delivery log', async () => {
    const note = eventIdentity('SM9', 6);
    expect(await deliveryLogOf().begin(note)).toBe('new');
    expect(await asTenant(async () => deliveryLogOf().begin(note))).toBe('new');
    await deliveryLogOf().delivered(note);
    expect(await deliveryLogOf().begin(note)).toBe('delivered');
    expect(await asTenant(async () => deliveryLogOf().begin(note))).toBe('in-progress');
  });

  test('each receive the events of their own account at their own webhook URL', async () => {
    // Saltcorn's log, which has the refused ones.
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const { url } = await startWebsite();
    const delivered: [whose: string, body: string][] = [];
    const listen = async (
      whose: string,
      publicAddress: string,
      { username, password, url }: Sandbox,
    ) => {
      await installPlugin(artefact, { username, password, baseUrl: url, publicAddress });
      state().actions.hear = { run: ({ row }: Loose) => void delivered.push([whose, row.body]) };
      await createTrigger({ name: 'hear', action: 'hear', when_trigger: 'SMS received' });
    };
    await listen('the first', 'https://example.com', host.sandbox);
    await asTenant(() => listen('the shop', 'https://shop.example.com', theirs));

    const send = async (
      host: string,
      body: string,
      { username: AccountSid, password: token }: Sandbox,
    ) => {
      const parameters = { ...parametersOf('sms-received'), AccountSid, Body: body };
      const path = '/telephony/events';
      const signed = signedForm(parameters, { token, url: `https://${host}${path}` });
      return (await postEvent(url + path, signed, { host })).status;
    };
    // The same message for both, also at each other's webhook URL.
    expect(await send('example.com', 'One', host.sandbox)).toBe(200);
    expect(await send('shop.example.com', 'Two', theirs)).toBe(200);
    expect(await send('shop.example.com', 'Three', host.sandbox)).toBe(403);
    expect(await send('example.com', 'Four', theirs)).toBe(403);
    expect(delivered).toEqual([
      ['the first', 'One'],
      ['the shop', 'Two'],
    ]);
  });

  test('each poll for the events of their own account', async () => {
    const delivered: [whose: string, body: string][] = [];
    const db = saltcorn('data/db');
    const isPolled = async () => {
      const table = `${db.getTenantSchemaPrefix()}telephony_store`;
      const id = storeHash('poll ', 'state');
      const { rows } = await db.query(`select body from ${table} where id = '${id}'`);
      return rows.some(({ body }: Loose) => JSON.parse(body).value.answeredAt > 0);
    };
    const listen = async (whose: string, sandbox: Sandbox) => {
      state().actions.note = { run: ({ row }: Loose) => void delivered.push([whose, row.body]) };
      await createTrigger({ name: 'note', action: 'note', when_trigger: 'SMS received' });
      const { username, password, url: baseUrl } = sandbox;
      await installPlugin(artefact, { username, password, baseUrl, pollMinutes: 0.1 });
      await until(() => isPolled().catch(() => false));
    };
    await listen('the first', host.sandbox);
    await asTenant(() => listen('the shop', theirs));
    const [from, to] = ['+12025550143', '+14155550100'];
    host.sandbox.receiveMessage({ from, to, body: 'One' });
    theirs.receiveMessage({ from, to, body: 'Two' });
    await until(() => delivered.length > 1);
    expect(delivered.sort()).toEqual([
      ['the first', 'One'],
      ['the shop', 'Two'],
    ]);
  });

  test('each see the calls of their own account', async () => {
    expect(await sids()).toEqual(newest(host.sandbox));
    expect(await asTenant(sids)).toEqual(newest(theirs));
  });

  test('each have their own password for their own host', async () => {
    const sisters = { contentUrl: '', lookupsUrl: '', verifyUrl: '' };
    const secretsOf = ({ url: baseUrl, password }: Sandbox) => [{ baseUrl, ...sisters, password }];
    expect(await secrets()).toEqual(secretsOf(host.sandbox));
    expect(await asTenant(secrets)).toEqual(secretsOf(theirs));
  });

  test('can’t use the password of another one', async () => {
    const [{ type, name, body }] = await model('metadata').find({ type: 'Module secrets' });
    const copy = await asTenant<Loose>(() => model('metadata').create({ type, name, body }));
    const reload = () => asTenant(() => model('plugin').loadAllPlugins());
    await reload();
    await expect(asTenant(sids)).rejects.toThrow(`"password" in the module's settings is empty.`);
    await asTenant(() => copy.delete());
    await reload();
    expect(await asTenant(sids)).toEqual(newest(theirs));
  });

  describe('whose account is fixed at Saltcorn’s start', () => {
    const load = async () => {
      await model('plugin').loadAllPlugins();
      await asTenant(() => model('plugin').loadAllPlugins());
    };
    const connectObj = () => saltcorn('data/db').connectObj;
    const defaultSender = '+14155550100';
    const visitor = Object.assign(Object.create(IncomingMessage.prototype), {
      ...{ originalUrl: '/view/show', headers: {}, sessionID: 's' },
    });
    const text = (run: object) =>
      state().actions['Send SMS'].run({
        ...run,
        configuration: { to: '+12025550143', body: 'Hi' },
      });
    beforeAll(async () => {
      const { username, password, url: baseUrl } = host.sandbox;
      const rest = { minimumRole: '100', defaultSender, freshSeconds: 300 };
      const telephony = { username, password, baseUrl, ...rest };
      connectObj().fixed_plugin_configuration = { telephony };
      await load();
    });
    afterAll(async () => {
      delete process.env.TELEPHONY_FIXED_TENANTS;
      connectObj().fixed_plugin_configuration = {};
      await load();
    });

    test('keep their own account', async () => {
      expect(await sids()).toEqual(newest(host.sandbox));
      expect(await asTenant(sids)).toEqual(newest(theirs));
    });

    test('keep their own other settings', async () => {
      theirs.messages.length = 0;
      host.sandbox.messages.length = 0;
      expect(await text({ req: visitor })).toMatchObject({ notify_success: expect.any(String) });
      expect(await asTenant(() => text({ req: visitor }))).toMatchObject({
        notify: expect.stringContaining('You may not run “Send SMS”.'),
      });
      await expect(asTenant(() => text({}))).rejects.toThrow('"From" is empty.');
      const { username, password, url: baseUrl } = theirs;
      const own = { username, password, baseUrl, defaultSender: '+12025550101' };
      await asTenant(() => installPlugin(artefact, own));
      await asTenant(() => text({}));
      expect(theirs.messages.map(({ from }) => from)).toEqual(['+12025550101']);
      expect(host.sandbox.messages.map(({ from }) => from)).toEqual([defaultSender]);
    });

    test('cache lists for the seconds of their own', async () => {
      const { username, password, url: baseUrl } = theirs;
      await asTenant(() =>
        installPlugin(artefact, { username, password, baseUrl, freshSeconds: 0 }),
      );
      const read = async () => {
        await sids();
        await asTenant(sids);
        const ofCalls = (request: string) => request.includes('/Calls');
        return [host.sandbox, theirs].map((one) => takeRequests(one).filter(ofCalls).length);
      };
      await read();
      expect(await read()).toEqual([0, 1]);
    });

    test('have none where they have none of their own', async () => {
      await asTenant(() => installPlugin(artefact, {}));
      await expect(asTenant(sids)).rejects.toThrow(`"username" in the module's settings is empty.`);
      expect(await sids()).toEqual(newest(host.sandbox));
    });

    test('have it if they are named', async () => {
      process.env.TELEPHONY_FIXED_TENANTS = 'desk, shop';
      await load();
      expect(await asTenant(sids)).toEqual(newest(host.sandbox));
    });
  });
});
