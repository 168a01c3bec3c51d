import { actionOf, type BatchView, batchPart, batchText } from '../../../src/builder.ts';
import { failureOf } from '../../support/failure-of.ts';
import { proxyTo } from '../../support/reverse-proxy.ts';
import { takeRequests } from '../../support/take-requests.ts';
import type { Opened } from '../open-nocobase.ts';
import { addWorkflowOnTable, newestJob } from '../workflow-on-table.ts';

/** NocoBase notifies people by SMS and calls. */
export function sendsNotifications(opened: () => Opened): void {
  let sandbox: Opened['sandbox'];
  let server: Opened['server'];
  let settings: Opened['settings'];
  beforeAll(() => {
    ({ sandbox, server, settings } = opened());
  });
  beforeAll(async () => {
    await addChannel('sms', 'telephony-send-sms', 'telephony');
    await addChannel('call', 'telephony-make-a-call', 'telephony');
  });
  beforeEach(() => {
    sandbox.reset();
    takeRequests(sandbox);
  });

  const addChannel = (name: string, notificationType: string, account: string) =>
    server.admin.request('notificationChannels:create', {
      ...{ name, title: name, notificationType, options: { account } },
    });

  const notify = (channelName: string, message: object, receivers?: object) =>
    server.admin.request('messages:send', { channelName, message, receivers, triggerFrom: 'test' });

  const from = '+14155550100';
  const [ada, grace] = ['+12025550143', '+12025550178'];
  const body = 'The door is open.';
  const sent = () => sandbox.messages.filter((one) => one.body === body).map(({ to }) => to);

  const failed = (reason: unknown) => expect.objectContaining({ status: 'failure', reason });
  const succeeded = expect.objectContaining({ status: 'success' });
  const noRecipient = 'The notification has no recipient with a phone number.';
  const blocked = /^\+15005550009: /;

  test.each<[what: string, to: unknown, result: unknown, recipients: string[]]>([
    ['one number', ada, succeeded, [ada]],
    ['several numbers', [ada, grace], succeeded, [ada, grace]],
    ['numbers in one text', `${ada}, ${grace}`, succeeded, [ada, grace]],
    ['the same number in two spellings', [ada, '+1 (202) 555-0143'], succeeded, [ada]],
    [
      'a number that gets none',
      [ada, '+15005550009'],
      failed(expect.stringMatching(blocked)),
      [ada],
    ],
    ['no number', undefined, failed(noRecipient), []],
    ['an empty number', ' ', failed(noRecipient), []],
    ['false', false, failed(noRecipient), []],
    ['an object', { $ne: 1 }, failed(noRecipient), []],
  ])('a notification to %s', async (_, to, result, recipients) => {
    expect(await notify('sms', { input: { from, to, body } })).toEqual(result);
    expect(sent().sort()).toEqual([...recipients].sort());
  });

  test('a notification of users goes to their phone numbers', async () => {
    await server.admin.request('users:update?filterByTk=1', { phone: ada });
    const users = { type: 'userId', value: [1] };
    expect(await notify('sms', { content: body, input: { from } }, users)).toEqual(succeeded);
    expect(sent()).toEqual([ada]);
    for (const value of [[], [null], [''], [{ $ne: 0 }], [0]])
      expect(await notify('sms', { content: body, input: { from } }, { ...users, value })).toEqual(
        failed(expect.any(String)),
      );
    expect(sent()).toEqual([ada]);
    await server.admin.request('users:update?filterByTk=1', { phone: null });
    expect(await notify('sms', { content: body, input: { from } }, users)).toEqual(
      failed(expect.stringContaining('User 1 has no phone number')),
    );
  });

  test('a channel can call', async () => {
    const say = 'The door is open & the light is on.';
    expect(await notify('call', { input: { from, to: ada, say } })).toEqual(succeeded);
    const [call] = sandbox.calls;
    expect(call).toMatchObject({ from, to: ada });
  });

  test("NocoBase's verification sends its one-time codes, and accepts them", async () => {
    const verifier = (name: string, options: object) =>
      server.admin.request('verifiers:create', {
        ...{ name, title: name, verificationType: 'sms-otp' },
        options: { provider: 'telephony-send-sms', settings: { account: 'telephony', ...options } },
      });
    const ask = (name: string, uuid: string) =>
      server.admin.request('smsOTP:create', { action: 'verifiers:bind', verifier: name, uuid });
    const codes = () =>
      sandbox.messages
        .map(({ to, body: text }) => `${to}: ${text}`)
        .filter((text) => /: (Your|Door) code/.test(text));
    await verifier('usual', { input: { from } });
    await verifier('own', { input: { from, body: 'Door code: {code}. Not {code}? Call us.' } });
    await verifier('broken', { input: { from, body: 'Hello.' } });
    const providers = await server.admin.request('smsOTPProviders:list', {});
    expect(providers).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'telephony-send-sms' })]),
    );
    await ask('usual', grace);
    await ask('own', '+1 (202) 555-0143');
    const [first = '', second = ''] = codes().sort().reverse();
    expect(first).toMatch(/^\+12025550178: Your code is \d{6}\.$/);
    expect(second).toMatch(/^\+12025550143: Door code: (\d{6})\. Not \1\? Call us\.$/);
    for (const [name, to, problem] of [
      ['usual', 'nobody', / 400.*InvalidReceiver/s],
      ['usual', 'whatsapp:+12025550143', / 400.*InvalidReceiver/s],
      ['usual', ' WhatsApp: +12025550143', / 400.*InvalidReceiver/s],
      ['usual', '+15005550001', / 500/],
      ['broken', '+12025550179', / 500/],
    ] as const)
      expect(await failureOf(ask(name, to))).toMatch(problem);
    expect(codes()).toHaveLength(2);
    const [code] = /\d{6}(?=\.$)/.exec(first) ?? [];
    const bind = (typed: unknown) =>
      server.admin.request('verifiers:bind', { verifier: 'usual', uuid: grace, code: typed });
    expect(await failureOf(bind('x'))).toMatch(/Verification code is invalid/);
    await bind(code);
  });

  test('a notification whose response is lost is not sent again, and its log says that the outcome is unknown', async () => {
    const proxy = await proxyTo(sandbox.url);
    proxy.handler = (_from, to) => to.destroy();
    const account = { ...settings, label: 'Lost', baseUrl: proxy.url };
    const { key } = Object(await server.admin.request('telephonyAccounts:save', account));
    await addChannel('lost', 'telephony-send-sms', key);
    expect(await notify('lost', { input: { from, to: ada, body } })).toEqual(
      failed(
        expect.stringContaining('The outcome of "Send SMS" is unknown; it was not sent again.'),
      ),
    );
    expect(sent()).toEqual([]);
  });

  test('the notification node of a workflow sends, and its result says why it failed', async () => {
    const table = { name: 'alarms', columns: ['phone'], isAwaited: true, nodes: [] };
    const id = await addWorkflowOnTable(server.admin, table);
    await server.admin.request(`workflows/${id}/nodes:create`, {
      ...{ type: 'notification', title: 'Notification', upstreamId: null, branchIndex: null },
      config: { channelName: 'sms', input: { from, to: '{{$context.data.phone}}', body } },
    });
    for (const [phone, result] of [
      [ada, succeeded],
      [null, failed(noRecipient)],
    ] as const) {
      await server.admin.request('alarms:create', { phone });
      expect((await newestJob(server.admin)) as object).toMatchObject({ result });
    }
    expect(sent()).toEqual([ada]);
  });

  test('the preview of a batch knows whom a notification texted today, and says that nothing is left', async () => {
    const { admin } = server;
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    const text = (name: string) => ({ name, type: 'string', interface: 'input' });
    await admin.request('collections:create', {
      ...{ name: 'doormen', title: 'Doormen', autoGenId: false, template: 'general' },
      fields: [id, text('phone')],
    });
    for (const phone of ['+1 (202) 555-0143', grace])
      await admin.request('doormen:create', { phone });
    const preview = async (rows: number[], input: object) =>
      (await admin.request('telephonyRuns:preview', {
        ...{ account: 'telephony', action: 'send-sms', dataSource: 'main', collection: 'doormen' },
        ...{ rows, input: { from: [from], to: [{ column: 'phone' }], ...input } },
      })) as BatchView;
    expect(await notify('sms', { input: { from, to: ada, body } })).toEqual(succeeded);
    const same = await preview([1], { body: [body] });
    expect(same).toMatchObject({
      ...{ counts: { waiting: 0, 'already-done': 1 }, repeated: { count: 1, isSkipped: true } },
    });
    const builder = { name: 'NocoBase', isText: true as const, toRepeat: () => ({ text: '' }) };
    expect(batchText(batchPart(actionOf('send-sms'), same, builder)).split('\n')).toEqual([
      'This was already sent to 1 of these rows.',
      'Nothing is left to send: all rows are skipped.',
    ]);
    expect(await preview([1, 2], { body: ['The door is shut.'] })).toMatchObject({
      ...{ counts: { waiting: 2 }, sentSingly: { count: expect.any(Number), isSkipped: false } },
    });
  });
}
