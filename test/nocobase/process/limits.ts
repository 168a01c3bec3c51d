import type { BatchView } from '../../../src/builder.ts';
import { failureOf } from '../../support/failure-of.ts';
import { gateTo } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { applicationOf } from '../application-of.ts';
import { startTimeoutMs } from '../nocobase-server.ts';
import type { Opened } from '../open-nocobase.ts';

/** What an account may send is limited. */
export function limitsSending(opened: () => Opened): void {
  let sandbox: Opened['sandbox'];
  let server: Opened['server'];
  let settings: Opened['settings'];
  beforeAll(() => {
    ({ sandbox, server, settings } = opened());
  });
  beforeEach(() => {
    sandbox.messages.length = 0;
  });

  const key = 'telephony';
  const save = (values: object) =>
    server.admin.request('telephonyAccounts:save', { ...settings, key, ...values });
  const noLimits = { stopped: false, perHour: null, perRecipientPerHour: null, countries: '' };
  afterAll(() => save(noLimits));

  const sms = { from: '+14155550100', to: '+12025550199' };
  const send = (body: string, to = sms.to) =>
    failureOf(
      server.admin.request('telephonyActions:send-sms', {
        account: key,
        input: { ...sms, to, body },
      }),
    );

  /** What the settings page shows. */
  const shown = async () => {
    const accounts = (await server.admin.request('telephonyAccounts:list')) as { key: string }[];
    return accounts.find((one) => one.key === key);
  };

  test(
    'what an account sends is limited and counted, also after a restart',
    async () => {
      await save({ perRecipientPerHour: 2, countries: 'us' });
      await send('1');
      await send('2');
      expect(sandbox.messages).toHaveLength(2);
      await server.restart('SIGKILL', applicationOf(server.pid()));
      expect(await send('3')).toMatch(
        /The limit .*Messages per recipient.* \(2 an hour\) is reached\. Nothing/,
      );
      expect(await send('4', '+442079460000')).toMatch(/is \+442079460000, a number of GB\./);
      expect(sandbox.messages).toHaveLength(2);
      expect(await shown()).toMatchObject({
        ...{ perRecipientPerHour: 2, countries: 'us' },
        usage: {
          messages: { lastHour: 2, lastDay: 2 },
          reached: [{ limit: 'perRecipientPerHour', most: 2 }],
        },
      });
    },
    startTimeoutMs,
  );

  test('a wrong limit is not saved, and its error names the field', async () => {
    await save(noLimits);
    expect(await failureOf(save({ perHour: 0 }))).toMatch(
      /Messages per hour.* must be a whole number from 1\..*"field":"perHour"/,
    );
    expect(await failureOf(save({ quietHours: 'at night' }))).toMatch(/"field":"quietHours"/);
    expect(await failureOf(save({ inQuietHours: 'wait' }))).toMatch(/"field":"inQuietHours"/);
    expect(await shown()).toMatchObject({ perHour: null });
  });

  test('values that are missing from the form stay as they are', async () => {
    await save({ ...noLimits, perHour: 77 });
    await save({ label: 'Desk' });
    expect(await shown()).toMatchObject({ label: 'Desk', perHour: 77 });
  });

  const call = (step: string, values: object) =>
    server.admin.request(`telephonyRuns:${step}`, values) as Promise<BatchView>;

  test('“Stop sending” ends a running batch; its other rows are not run', async () => {
    let posts = 0;
    const gate = await gateTo(
      sandbox.url,
      (path) => path.endsWith('/Messages.json') && ++posts > 5,
    );
    await save({ ...noLimits, baseUrl: gate.url });
    const people = { name: 'clients', autoGenId: true, template: 'general' };
    const phone = { name: 'phone', type: 'string', interface: 'input' };
    await server.admin.request('collections:create', { ...people, fields: [phone] });
    const rows: unknown[] = [];
    for (let index = 10; index < 50; index += 1) {
      const values = { phone: `+120255566${index}` };
      rows.push(Object(await server.admin.request('clients:create', values)).id);
    }
    const { key: batch } = await call('preview', {
      ...{ account: key, action: 'send-sms', dataSource: 'main', collection: 'clients', rows },
      input: { from: [sms.from], to: [{ column: 'phone' }], body: ['Hello'] },
    });
    await call('start', { key: batch });
    await gate.holds(1);
    await save({ stopped: true, baseUrl: gate.url });
    expect(await send('Now')).toMatch(/Stop sending.* is on\. Nothing was sent/);
    await gate.open();
    let view = await call('see', { key: batch });
    await until(async () => {
      view = await call('see', { key: batch });
      return view.state === 'ended';
    });
    const sent = sandbox.messages.length;
    expect(view.counts).toMatchObject({ done: sent, 'not-run': 40 - sent, unknown: 0, failed: 0 });
    expect(sent).toBeGreaterThanOrEqual(5);
    expect(sent).toBeLessThan(40);
    expect(JSON.stringify(view.problems)).toContain('Stop sending');
  });
}
