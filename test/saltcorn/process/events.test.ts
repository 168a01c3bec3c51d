import { definitions, eventDefinition, openSecrets } from '../../../src/builder.ts';
import { fixtures, parametersOf, receivedSince } from '../../events/fixtures.ts';
import { postEvent, postForged } from '../../events/post.ts';
import { account, signedForm } from '../../events/signed.ts';
import { callIn, incoming } from '../../support/call-in.ts';
import {
  createAdministrator,
  createNative,
  createTrigger,
  findTable,
  loadedTrigger,
} from '../app.ts';
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
import { startWebsite, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';

const path = '/telephony/events';
const publicAddress = 'https://app.example.com';
const received = { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' };

let host: Host;
let crashLog: CrashLog;
let website: Website;
let emitted: Loose[];

/** The account of the webhooks. */
const ofTests = (settings: object = {}) =>
  installPlugin(artefact, { ...account, publicAddress, ...settings });

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  await ofTests();
  website = await startWebsite();
  state().actions.capture = { run: ({ row }: Loose) => void emitted.push(row) };
  for (const { name } of definitions.events)
    await createTrigger({ name: `on ${name}`, action: 'capture', when_trigger: name });
});
beforeEach(async () => {
  emitted = [];
  await ofTests();
});

const post = (parameters: Record<string, string>, token = account.password) =>
  postEvent(website.url + path, signedForm(parameters, { url: publicAddress + path, token }));

let count = 0;
/** A new SMS. */
function anotherSms(changes: Record<string, string> = {}) {
  count += 1;
  return { ...parametersOf('sms-received'), MessageSid: `XX${count}`, ...changes };
}

test('each event can start a trigger', () => {
  const names = definitions.events.map(({ name }) => name);
  expect(model('trigger').when_options).toEqual(expect.arrayContaining(names));
});

test.each(fixtures)('%s: starts its triggers once, with the whole record', async (id, fixture) => {
  const before = Date.now();
  expect(await post(fixture.parameters)).toEqual(received);
  expect(await post(fixture.parameters)).toEqual(received);
  const { of } = eventDefinition(id);
  const { MessageSid: sid } = fixture.parameters;
  expect(JSON.parse(JSON.stringify(emitted))).toEqual([
    ...(of ? [expect.objectContaining({ sid, media: [] })] : []),
    receivedSince(before, id, fixture),
  ]);
});

test('rejects 1000 forged requests and logs each reason once', async () => {
  const before = (await crashLog.messages()).length;
  const ways = await postForged(website.url + path, publicAddress + path, { readsForms: true });
  // Saltcorn itself refuses bodies that look like files.
  expect([...ways.keys()].filter((status) => status !== 400).sort()).toEqual([403, 500]);
  expect(ways.get(500)).toEqual(new Set(['another type of body']));
  expect(emitted).toEqual([]);
  // Without Saltcorn's own errors about unreadable bodies.
  const isOurs = (line: string) => line.startsWith('Refused a request ');
  const lines = (await crashLog.messages()).slice(before).filter(isOurs);
  expect(lines).toEqual([...new Set(lines)]);
  expect(lines).toContain('Refused a request for another account.');
  await post(anotherSms());
  expect(emitted).toHaveLength(1);
});

test('starts a workflow with the record', async () => {
  await createAdministrator();
  await createNative('Heard', { sid: 'String', text: 'String' });
  const workflow = await createTrigger({
    ...{ name: 'note', action: 'Workflow', when_trigger: 'SMS received' },
  });
  await model('workflow_step').create({
    ...{ trigger_id: workflow.id, name: 'write', action_name: 'insert_any_row' },
    ...{ initial_step: true, next_step: '' },
    configuration: { table: 'Heard', row_expr: '({ sid: sid, text: body })' },
  });
  const sms = anotherSms({ Body: 'From a workflow' });
  expect(await post(sms)).toEqual(received);
  const rows = await findTable('Heard').getRows({});
  expect(rows.map(({ sid, text }: Loose) => [sid, text])).toEqual([
    [sms.MessageSid, 'From a workflow'],
  ]);
  await workflow.delete();
});

test('a number sends its events here after a press of its button, only by an administrator', async () => {
  host.sandbox.reset();
  await installPlugin(artefact, { ...host.settings, publicAddress: website.url });
  const url = '/telephony/numbers';
  expect(await (await website.user(80)).post(url, {})).toEqual({
    problem: 'Only administrators can change the numbers.',
  });
  const administrator = await website.user();
  const { numbers } = await administrator.post(url, {});
  const [{ sid, seen }] = numbers;
  const { done } = await administrator.post(url, { sid, seen, press: 'connect' });
  expect(done).toBe('+14155550100 (Front desk) now sends its events here.');
  host.sandbox.receiveMessage({ from: '+12025550143', to: '+14155550100', body: 'Hello' });
  await host.sandbox.events.settled();
  expect(host.sandbox.events.log.map(({ tries }) => tries)).toEqual([[200]]);
});

describe('a reply', () => {
  const sms = { from: '+12025550143', to: '+14155550100', body: 'Tom & <Jerry>' };
  const replies = () =>
    host.sandbox.messages
      .filter(({ direction }) => direction === 'outbound-reply')
      .map(({ from, to, body }) => ({ from, to, body }));

  beforeEach(async () => {
    host.sandbox.reset();
    await installPlugin(artefact, { ...host.settings, publicAddress: website.url });
    host.sandbox.events.numbers.set(sms.to, { smsUrl: website.url + path });
  });

  async function receive() {
    host.sandbox.receiveMessage(sms);
    await host.sandbox.events.settled();
    return host.sandbox.events.log.map(({ tries }) => tries);
  }

  const text = 'Thank you for “{{ body }}”, {{ from }}.';
  const ways: [what: string, trigger: object][] = [
    ['a trigger', { action: 'Reply: SMS received', configuration: { text } }],
    [
      'a step of a multi-step action',
      {
        action: 'Multi-step action',
        configuration: {
          steps: [
            { step_action_name: 'capture' },
            { step_action_name: 'Reply: SMS received', text },
          ],
        },
      },
    ],
  ];
  test.each(ways)('can come from %s', async (_, trigger) => {
    const made = await createTrigger({ name: 'reply', when_trigger: 'SMS received', ...trigger });
    expect(await receive()).toEqual([[200]]);
    expect(replies()).toEqual([
      { from: sms.to, to: sms.from, body: `Thank you for “${sms.body}”, ${sms.from}.` },
    ]);
    await made.delete();
    await state().refresh_triggers();
  });

  test('can come from a workflow', async () => {
    const made = await createTrigger({
      ...{ name: 'reply', action: 'Workflow', when_trigger: 'SMS received' },
    });
    await model('workflow_step').create({
      ...{ trigger_id: made.id, name: 'answer', action_name: 'Reply: SMS received' },
      ...{ initial_step: true, next_step: '', configuration: { text: 'Yes, {{ from }}' } },
    });
    expect(await receive()).toEqual([[200]]);
    expect(replies().map(({ body }) => body)).toEqual([`Yes, ${sms.from}`]);
    await made.delete();
    await state().refresh_triggers();
  });

  test('fails if no event waits for it', async () => {
    const made = await createTrigger({
      ...{ name: 'late', action: 'Reply: SMS received', when_trigger: 'Never' },
      configuration: { text: 'Hi' },
    });
    await expect(loadedTrigger('late').runWithoutRow({ row: { sid: 'SM1' } })).rejects.toThrow(
      /^Reply: SMS received: The reply is too late/,
    );
    await made.delete();
    await state().refresh_triggers();
  });

  test('succeeds even if a trigger fails, and the failure is logged', async () => {
    const made = await createTrigger({
      ...{ name: 'fails', action: 'Send SMS', when_trigger: 'SMS received' },
      configuration: { from: '+14155550100', to: '{{ nobody }}', body: 'Hi' },
    });
    expect(await receive()).toEqual([[200]]);
    expect(emitted).toHaveLength(1);
    expect(await crashLog.messages()).toContainEqual(expect.stringMatching(/nobody/));
    await made.delete();
    await state().refresh_triggers();
  });
});

describe('a reply to a call', () => {
  beforeEach(async () => {
    host.sandbox.reset();
    await installPlugin(artefact, { ...host.settings, publicAddress: website.url });
  });

  const receive = (...seconds: number[]) => callIn(host.sandbox, website.url + path, ...seconds);
  const trigger = (action: string, configuration: object) =>
    createTrigger({ name: 'reply', when_trigger: 'Call received', action, configuration });

  const replies: [action: string, fields: object, seconds: number[], ended: object][] = [
    [
      'Reply: Say',
      { say: 'Hello {{ from }}', language: 'en-GB', voice: '' },
      [2, 2],
      { calls: [[incoming.from, incoming.to, 'completed', '2']], recordings: [] },
    ],
    [
      'Reply: Forward',
      { to: '+1 310 555 0177', timeout: 20, callerId: '' },
      [2, 2, 4],
      {
        calls: [
          [incoming.from, '+13105550177', 'completed', '4'],
          [incoming.from, incoming.to, 'completed', '4'],
        ],
        recordings: [],
      },
    ],
    [
      'Reply: Record',
      { say: 'Please speak after the tone', language: '', voice: '', maxLength: 3 },
      [2, 2, 3],
      {
        calls: [[incoming.from, incoming.to, 'completed', '5']],
        recordings: [['RecordVerb', 'completed', '3']],
      },
    ],
  ];
  test.each(replies)('%s does what it says', async (action, fields, seconds, ended) => {
    const made = await trigger(action, fields);
    expect(await receive(...seconds)).toEqual(ended);
    const sources = emitted.filter(({ source }) => source).map(({ source }) => source);
    expect(sources).toEqual(action === 'Reply: Record' ? ['RecordVerb'] : []);
    await made.delete();
    await state().refresh_triggers();
  });

  test('that the event does not have fails, and the call ends', async () => {
    const made = await trigger('Reply: SMS received', { text: 'Hi' });
    expect(await receive(2)).toEqual({
      calls: [[incoming.from, incoming.to, 'completed', '0']],
      recordings: [],
    });
    expect(await crashLog.messages()).toContainEqual(
      expect.stringMatching(/^Reply: SMS received: The reply is too late/),
    );
    await made.delete();
    await state().refresh_triggers();
  });
});

describe('an SMS from an action', () => {
  const reportsOf = async (settings: object) => {
    host.sandbox.reset();
    await installPlugin(artefact, { ...host.settings, publicAddress: website.url, ...settings });
    const made = await createTrigger({
      ...{ name: 'send', action: 'Send SMS', when_trigger: 'Never' },
      configuration: { from: '+14155550100', to: '+12025550143', body: 'Hi' },
    });
    await loadedTrigger('send').runWithoutRow({ row: {} });
    await made.delete();
    host.sandbox.pass(60);
    await host.sandbox.events.settled();
    return emitted.map(({ status }) => status);
  };

  test('triggers status events if the settings request them', async () => {
    // They arrive at the same time, and late ones are dropped.
    expect((await reportsOf({ reported: true })).at(-1)).toBe('delivered');
  });

  test('triggers no status events otherwise', async () => {
    expect(await reportsOf({})).toEqual([]);
  });
});

describe('the settings', () => {
  const plugin = () => state().plugins.telephony;
  const opened = async () => {
    const { configuration } = await model('plugin').findOne({ name: 'telephony' });
    return (await plugin().configuration_workflow().run(configuration)).renderForm;
  };
  const html = async () =>
    decodeURIComponent(saltcorn('markup').renderForm(await opened(), 'csrf'));
  /** The page without the button that copies the webhook URL. */
  const text = async () =>
    (await html()).replace(/<code>(.*?)<\/code><button.*?<\/button>/g, (_, url) => url);
  const secrets = async () => {
    const [row] = await model('metadata').find({ type: 'Module secrets' });
    return row && openSecrets(row.body.sealed, 'session', ['public']);
  };
  const save = async (values: object) => {
    const form = await opened();
    const { stepName, contextEnc } = form.values;
    const kept = { username: account.username, accountSid: '', publicAddress, minimumRole: '1' };
    const saved = await plugin()
      .configuration_workflow()
      .run({ stepName, contextEnc, ...kept, baseUrl: '', password: '', ...values });
    await installPlugin(artefact, saved);
    return saved;
  };

  test('show the webhook URL and the time of the last event', async () => {
    await saltcorn('data/db').query('delete from telephony_store');
    expect(await text()).toContain(`Webhook URL: ${publicAddress}${path} No event received yet.`);
    await post(anotherSms());
    expect(await text()).toMatch(
      /Last event: <telephony-time lang="en"><time datetime="[^"]+Z">[^<]+ GMT<\/time><\/telephony-time>\./,
    );
  });

  test.each([
    ['a public URL without https', { publicAddress: 'http://app.example.com' }, 'https://.'],
    [
      'an API key without the Auth Token',
      { username: 'SK1', accountSid: account.username },
      'Enter the Auth Token',
    ],
  ])('tell why nothing is received with %s', async (_, settings, why) => {
    await ofTests(settings);
    expect((await post(anotherSms())).status).toBe(503);
    expect(await text()).toMatch(new RegExp(`${path} Webhooks are off: .*${why}`));
  });

  test('keep the query of the public URL behind the path', async () => {
    await ofTests({ publicAddress: 'https://app.example.com/?of=shop' });
    const url = `https://app.example.com${path}?of=shop`;
    expect(await text()).toContain(`Webhook URL: ${url} `);
    expect(await postEvent(website.url + path, signedForm(anotherSms(), { url }))).toEqual(
      received,
    );
  });

  test('use the URL of the site if no public URL is given', async () => {
    await state().setConfig('base_url', 'https://site.example.com/');
    await ofTests({ publicAddress: '' });
    expect(await text()).toContain(`Webhook URL: https://site.example.com${path}`);
    const url = `https://site.example.com${path}`;
    expect(await postEvent(website.url + path, signedForm(anotherSms(), { url }))).toEqual(
      received,
    );
    await state().setConfig('base_url', '');
  });

  test('receive nothing without a public URL', async () => {
    await ofTests({ publicAddress: '' });
    expect((await post(anotherSms())).status).toBe(503);
    expect(emitted).toEqual([]);
  });

  test('store the Auth Token as a secret next to the password, and change each alone', async () => {
    const authToken = 'f00d-the-auth-token';
    const addresses = { baseUrl: '', contentUrl: '', lookupsUrl: '', verifyUrl: '' };
    const saved = await save({ authToken });
    expect(saved).not.toHaveProperty('authToken');
    expect(await secrets()).toEqual({ password: account.password, ...addresses, authToken });
    expect(await html()).not.toContain(authToken);
    expect((await post(anotherSms())).status).toBe(403);
    expect(await post(anotherSms(), authToken)).toEqual(received);

    await save({ password: 'another-secret-1' });
    expect(await secrets()).toEqual({ password: 'another-secret-1', ...addresses, authToken });
    expect(await post(anotherSms(), authToken)).toEqual(received);
    await save({ authToken: 'f00d-another-token' });
    expect(await secrets()).toMatchObject({ password: 'another-secret-1' });
    expect((await post(anotherSms(), authToken)).status).toBe(403);
    expect(emitted).toHaveLength(2);
  });
});
