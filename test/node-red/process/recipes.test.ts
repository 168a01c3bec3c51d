import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callIn, incoming } from '../../support/call-in.ts';
import { readDocument, sectionOf, snippetsOf, typedIn } from '../../support/document.ts';
import { until } from '../../support/until.ts';
import { accountNode, artefact, type Host, type Loose, type Node, startNodeRed } from '../host.ts';

const page = readDocument('docs/recipes-node-red.md');
const recipe = (heading: string) => typedIn(sectionOf(page, heading));

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

/** What is typed, and what it is, as the editor stores them. */
function typed(text = '') {
  const [, path] = /^msg\.(.+)$/.exec(text) ?? [];
  if (path) return { value: path, type: 'msg' };
  const [, expression] = /^J: (.+)$/.exec(text) ?? [];
  return expression ? { value: expression, type: 'jsonata' } : { value: text, type: 'str' };
}

/** A node of the plugin, filled in as a table says. */
function filledIn(id: string, type: string, fields: Record<string, string> = {}): Node {
  const { 'At most': limit, 'Result to': result, ...inputs } = fields;
  const properties = Object.entries(inputs).map(([label, text]) => {
    const { value, type } = typed(text);
    return { [`input${label}`]: value, [`typeOf${label}`]: type };
  });
  return {
    ...{ id, type: `telephony-${type}`, account: 'account' },
    ...Object.assign({}, ...properties),
    ...(limit && { limit }),
    ...(result && { property: typed(result).value }),
  };
}

let shown: Loose[];
let caught: Loose[];

/** Deploys nodes that are wired one behind the other, and a debug and a catch node. */
async function deploy(...nodes: Node[]) {
  const ids = [...nodes.map(({ id }) => id), 'shown'];
  await host.deploy([
    accountNode(host.sandbox),
    ...nodes.map((node, index) => ({ ...node, wires: [[ids[index + 1]]] })),
    { id: 'errors', type: 'catch', wires: [['caught']] },
    ...['shown', 'caught'].map((id) => ({ id, type: 'debug', active: false })),
  ]);
  [shown, caught] = [[], []];
  host.node('shown').on('input', (message: Loose) => shown.push(message));
  host.node('caught').on('input', (message: Loose) => caught.push(message));
}

const sent = () => host.sandbox.messages.map(({ from, to, body }) => ({ from, to, body }));

test('sends one alarm per hour, and only if the value is too high', async () => {
  const [limit, sms] = recipe('An alarm by SMS');
  const { value: property, type: propertyType } = typed(limit?.Property);
  await deploy(
    {
      ...{ id: 'switch', type: 'switch', property, propertyType, checkall: 'true', outputs: 1 },
      rules: [{ t: 'gt', v: limit?.['>'], vt: 'num' }],
    },
    {
      ...{ id: 'delay', type: 'delay', pauseType: 'rate', timeout: '5', timeoutUnits: 'seconds' },
      ...{ rate: '1', nbRateUnits: '1', rateUnits: 'hour', drop: true, outputs: 1 },
    },
    filledIn('send', 'send-sms', sms),
  );
  for (const payload of [20, 30, 31, 35]) host.node('switch').receive({ payload });
  await until(() => shown.length > 0);
  expect(sent()).toEqual([
    { from: sms?.From, to: sms?.To, body: 'It is 31 degrees in the cold store.' },
  ]);
  expect(caught).toEqual([]);
});

test('sends an SMS to each person in a list and reports who has no number', async () => {
  const text = sectionOf(page, 'Text a list of people');
  const [sms] = recipe('Text a list of people');
  const people = JSON.parse(/```json\n([\s\S]+?)```/.exec(text)?.[1] ?? '');
  await deploy(
    {
      ...{ id: 'split', type: 'split', splt: '\\n', spltType: 'str' },
      ...{ arraySplt: 1, arraySpltType: 'len', stream: false, property: 'payload' },
    },
    filledIn('send', 'send-sms', sms),
  );
  host.node('split').receive({ payload: [...people, { name: 'Cleo' }] });
  await until(() => shown.length + caught.length === 3);
  expect(sent().sort((one, other) => one.to.localeCompare(other.to))).toEqual([
    { from: sms?.From, to: '+12025550143', body: 'Dear Ada, we are closed tomorrow.' },
    { from: sms?.From, to: '+12025550144', body: 'Dear Bob, we are closed tomorrow.' },
  ]);
  for (const { payload, sms: record } of shown) expect(record.to).toBe(payload.phone);
  expect(caught.map(({ payload, error }) => [payload.name, error.code])).toEqual([
    ['Cleo', 'input'],
  ]);
});

test('lists each missed caller once', async () => {
  const [calls, change] = recipe('Missed calls');
  const { value: to, type: tot } = typed(change?.['to the value']);
  await deploy(filledIn('calls', 'calls-by-caller-id', calls), {
    ...{ id: 'change', type: 'change' },
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to, tot }],
  });
  for (const callers of [[], ['+12025550143']]) {
    host
      .node('change')
      .receive({ payload: callers.map((from) => ({ direction: 'inbound', from })) });
    await until(() => shown.length + caught.length > 0);
    expect(shown.splice(0).map(({ payload }) => payload)).toEqual([callers]);
  }
  host.node('calls').receive({});
  await until(() => shown.length + caught.length > 0);
  const missed = host.sandbox.calls
    .filter(({ status }) => status === 'no-answer')
    .slice(0, Number(calls?.['At most']))
    .filter(({ direction }) => direction === 'inbound');
  expect(missed.length).toBeGreaterThan(2);
  expect([...shown[0].payload]).toEqual([...new Set(missed.map(({ from }) => from))]);
});

describe('with webhooks', () => {
  const number = '+14155550100';
  const caller = '+12025550143';
  const account = () => accountNode(host.sandbox, { publicAddress: host.url });
  const reply = (id: string, fields: Record<string, string> = {}) => filledIn(id, 'reply', fields);

  /** Deploys nodes, and lets the service report to them what happens to the number. */
  async function deployWith(...nodes: Node[]) {
    await host.deploy([account(), ...nodes]);
    host.sandbox.reset();
    const address = `${host.url}/telephony/events/account`;
    host.sandbox.events.numbers.set(number, { smsUrl: address, statusCallback: address });
  }
  async function write(body: string, from = caller) {
    host.sandbox.receiveMessage({ from, to: number, body });
    await host.sandbox.events.settled();
  }
  const replies = () =>
    host.sandbox.messages
      .filter(({ direction }) => direction === 'outbound-reply')
      .map(({ from, to, body }) => ({ from, to, body }));

  const oncePerHour = () => ({
    ...{ id: 'function', type: 'function', outputs: 1, libs: [] },
    func: snippetsOf(sectionOf(page, 'Answer an SMS'), 'js')[0],
  });

  test('replies to an SMS, once per sender and hour', async () => {
    const [text] = recipe('Answer an SMS');
    await deployWith(
      { ...filledIn('heard', 'sms-received'), replies: true, wires: [['function']] },
      { ...oncePerHour(), wires: [['reply']] },
      reply('reply', text),
    );
    const other = '+12025550144';
    const hour = 60 * 60 * 1_000;
    const answered = () => host.node('function').context().get('answered');
    const body = 'Thank you for your message. We answer today.';
    const to = (sender: string) => ({ from: number, to: sender, body });
    await write('Are you open?');
    await write('And on Sunday?', other);
    expect(replies()).toEqual([to(other), to(caller)]);
    host
      .node('function')
      .context()
      .set('answered', { [caller]: Date.now() - hour });
    await write('Hello?');
    expect(replies()).toEqual([to(caller), to(other), to(caller)]);
    expect(answered()).toEqual({ [caller]: expect.any(Number) });
    const passed: string[] = [];
    host.node('reply').on('input', ({ payload }: Loose) => passed.push(payload.from));
    for (const from of [caller, other]) host.node('function').receive({ payload: { from } });
    await until(() => passed.length > 0);
    expect(passed).toEqual([other]);
  });

  const isEqual = (fields: Record<string, string> = {}) => {
    const { value: property, type: propertyType } = typed(fields.Property);
    return {
      ...{ id: 'switch', type: 'switch', property, propertyType, checkall: 'false' },
      rules: [{ t: 'eq', v: fields['=='], vt: 'str' }, { t: 'else' }],
      outputs: 2,
    };
  };

  test('sends an SMS about a missed call and about no other call', async () => {
    const [status, sms] = recipe('Tell me when a call was missed');
    await deployWith(
      { ...filledIn('heard', 'call-status'), wires: [['switch']] },
      { ...isEqual(status), wires: [['send'], []] },
      { ...filledIn('send', 'send-sms', sms), wires: [['sent']] },
      { id: 'sent', type: 'debug', active: false },
    );
    const done: Loose[] = [];
    host.node('sent').on('input', (message: Loose) => done.push(message));
    host.sandbox.messages.length = 0;
    for (const end of ['completed', 'no-answer'] as const) {
      host.sandbox.receiveCall({ from: '+12025550199', to: number, end });
      host.sandbox.pass(60);
      await host.sandbox.events.settled();
    }
    await until(() => done.length > 0);
    expect(sent()).toEqual([
      { from: sms?.From, to: sms?.To, body: 'You missed a call from +12025550199.' },
    ]);
  });

  test('the example flow records messages of callers, and lists them with players', async () => {
    const [greeting, call, change] = recipe('Voicemail');
    const section = sectionOf(page, 'Voicemail');
    const example: Node[] = JSON.parse(
      readFileSync(join(artefact, 'examples/Voicemail.json'), 'utf8'),
    );
    const part = (id: string) => example.find((node) => node.id === `voicemail-${id}`);
    expect(part('record')).toMatchObject({
      ...{ inputSay: greeting?.Greeting, inputMaxLength: greeting?.['Time limit'] },
    });
    expect(part('caller')).toMatchObject({
      ...{ inputCallSid: typed(call?.['Call SID']).value, typeOfCallSid: 'msg' },
      property: typed(call?.['Result to']).value,
    });
    expect(part('keep')).toMatchObject({ func: snippetsOf(section, 'js')[0]?.trim() });
    expect(part('all')).toMatchObject({
      rules: [{ tot: 'flow', to: change?.['to the value']?.replace('flow.', '') }],
    });
    expect(part('list')).toMatchObject({ template: snippetsOf(section, 'handlebars')[0]?.trim() });

    const own = accountNode(host.sandbox, { publicAddress: host.url, media: true });
    // Node-RED can't load the nodes of web pages within jest.
    const left = ['tab', 'http in', 'http response', own.type];
    await host.deploy([
      own,
      ...example
        .filter(({ type }) => !left.includes(type))
        .map(({ z: _, ...node }) => (node.account ? { ...node, account: own.id } : node)),
      { id: 'voicemail-answer', type: 'debug', active: false },
    ]);
    host.sandbox.reset();
    const kept = new Promise((resolve) => host.node('voicemail-new').on('input', resolve));
    await callIn(host.sandbox, `${host.url}/telephony/events/account`, 2, 4, 4);
    await kept;
    const [recording] = host.sandbox.recordings;
    const answered = new Promise<Loose>((resolve) =>
      host.node('voicemail-answer').on('input', resolve),
    );
    host.node('voicemail-all').receive({});
    const { payload: list } = await answered;
    const [, source = ''] = /src="([^"]+)"/.exec(list) ?? [];
    expect(list).toContain(`<p>${incoming.from}, ${recording?.duration} seconds <audio`);
    const player = await fetch(host.url + source.replaceAll('&#x2F;', '/'));
    expect([player.status, player.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
  });

  test('confirms an appointment when the customer replies YES', async () => {
    const [yes, change, thanks, otherwise] = recipe('Appointment confirmed by replying YES');
    const { value: to, type: tot } = typed(change?.['to the value']);
    await deployWith(
      { ...filledIn('heard', 'sms-received'), replies: true, wires: [['switch']] },
      { ...isEqual(yes), wires: [['change'], ['function']] },
      {
        ...{ id: 'change', type: 'change', wires: [['thanks']] },
        rules: [{ t: 'set', p: 'confirmed', pt: 'flow', to, tot }],
      },
      reply('thanks', thanks),
      { ...oncePerHour(), wires: [['otherwise']] },
      reply('otherwise', otherwise),
    );
    const confirmed = () => host.node('heard').context().flow.get('confirmed');
    for (const body of ['No idea', 'Who is this?', ' yes ']) await write(body);
    expect(confirmed()).toEqual([caller]);
    await write('YES');
    expect(replies().map(({ body }) => body)).toEqual([
      thanks?.Text,
      thanks?.Text,
      otherwise?.Text,
    ]);
    expect(confirmed()).toEqual([caller, caller]);
  });
});
