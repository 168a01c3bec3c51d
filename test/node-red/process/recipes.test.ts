import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, replyForms } from '../../../src/builder.ts';
import { callAndAnswer, callIn, incoming } from '../../support/call-in.ts';
import { readDocument, sectionOf, snippetsOf, typedIn } from '../../support/document.ts';
import { until } from '../../support/until.ts';
import { accountNode, artefact, type Host, type Loose, type Node, startNodeRed } from '../host.ts';

const page = readDocument('docs/builders/node-red-recipes.md');
const recipe = (heading: string) => typedIn(sectionOf(page, heading));

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

/** A typed value and its type, as the editor stores them. */
function typed(text = '') {
  const [, path] = /^msg\.(.+)$/.exec(text) ?? [];
  if (path) return { value: path, type: 'msg' };
  const [, expression] = /^J: (.+)$/.exec(text) ?? [];
  return expression ? { value: expression, type: 'jsonata' } : { value: text, type: 'str' };
}

/** The keys of fields whose label is another word. */
const keys: Record<string, string> = { 'Started from': 'StartTimeAfter' };

/** The properties of a plugin node, filled in as in a table. */
function filledIn(fields: Record<string, string> = {}): object {
  const { 'Maximum rows': limit, 'Result to': result, Records, Reply, ...inputs } = fields;
  const chosen = [...definitions.dataSources, ...replyForms].find(
    ({ name }) => name === (Records ?? Reply),
  );
  const properties = Object.entries(inputs).map(([label, text]) => {
    const { value, type } = typed(text);
    const key = keys[label] ?? label;
    return { [`input${key}`]: value, [`typeOf${key}`]: type };
  });
  return {
    ...Object.assign({}, ...properties),
    ...(chosen && { operation: chosen.id }),
    ...(limit && { limit }),
    ...(result && { property: typed(result).value }),
  };
}

/** The properties of a change node that sets a value. */
const setTo = (property: string, fields: Record<string, string> = {}) => {
  const { value: to, type: tot } = typed(fields['to the value']);
  return { rules: [expect.objectContaining({ t: 'set', p: property, to, tot })] };
};

/** The flow that the import dialog offers for a recipe. */
const readExample = (name: string): Node[] =>
  JSON.parse(readFileSync(join(artefact, `examples/${name}.json`), 'utf8'));

/** Finds a node of a flow by the end of its id. */
const part = (flow: Node[], id: string) => flow.find((node) => node.id.endsWith(`-${id}`));

/** Deploys a flow with the sandbox's account. */
async function deployExample(name: string, settings = {}, ...more: Node[]): Promise<Node[]> {
  const flow = readExample(name);
  const own = accountNode(host.sandbox, settings);
  // Node-RED can't load the nodes of web pages within jest.
  const left = ['tab', 'http in', 'http response', own.type];
  await host.deploy([
    own,
    ...flow
      .filter(({ type }) => !left.includes(type))
      .map(({ z: _, ...node }) => ('account' in node ? { ...node, account: own.id } : node)),
    ...more,
  ]);
  return flow;
}

let shown: Loose[];
let caught: Loose[];

/** Deploys an example, and collects what its debug nodes get. */
async function deploy(name: string, prefix: string, last: string) {
  const flow = await deployExample(name);
  [shown, caught] = [[], []];
  host.node(`${prefix}-${last}`).on('input', (message: Loose) => shown.push(message));
  host.node(`${prefix}-problem`).on('input', (message: Loose) => caught.push(message));
  return flow;
}

const sent = () => host.sandbox.messages.map(({ from, to, body }) => ({ from, to, body }));

test('sends one alarm per hour, and only if the value is too high', async () => {
  const [limit, sms] = recipe('An alarm by SMS');
  const flow = await deploy('Alarm by SMS', 'alarm', 'sent');
  const { value: property, type: propertyType } = typed(limit?.Property);
  expect(part(flow, 'limit')).toMatchObject({
    ...{ property, propertyType },
    rules: [{ t: 'gt', v: limit?.['>'], vt: 'num' }],
  });
  expect(part(flow, 'hourly')).toMatchObject({
    ...{ pauseType: 'rate', rate: '1', nbRateUnits: '1', rateUnits: 'hour', drop: true },
  });
  expect(part(flow, 'send')).toMatchObject(filledIn(sms));
  for (const payload of [20, 30, 31, 35]) host.node('alarm-limit').receive({ payload });
  await until(() => shown.length > 0);
  expect(sent()).toEqual([
    { from: sms?.From, to: sms?.To, body: 'It is 31 degrees in the cold store.' },
  ]);
  expect(caught).toEqual([]);
});

test('sends an SMS to each person in a list and reports who has no number', async () => {
  const text = sectionOf(page, 'Text a list of people');
  const [sms, keep, read, missing] = recipe('Text a list of people');
  const people = JSON.parse(/```json\n([\s\S]+?)```/.exec(text)?.[1] ?? '');
  const flow = await deploy('Text a list of people', 'list', 'sent');
  expect(JSON.parse(String(part(flow, 'people')?.payload))).toEqual(people);
  expect(part(flow, 'send')).toMatchObject(filledIn(sms));
  host.node('list-split').receive({ payload: [...people, { name: 'Cleo' }] });
  await until(() => shown.length + caught.length === 3);
  expect(sent().sort((one, other) => one.to.localeCompare(other.to))).toEqual([
    { from: sms?.From, to: '+12025550143', body: 'Dear Ada, we are closed tomorrow.' },
    { from: sms?.From, to: '+12025550144', body: 'Dear Bob, we are closed tomorrow.' },
  ]);
  for (const { payload, sms: record } of shown) expect(record.to).toBe(payload.phone);
  expect(caught.map(({ payload, error }) => [payload.name, error.code])).toEqual([
    ['Cleo', 'input'],
  ]);
  expect(part(flow, 'keep')).toMatchObject(setTo('sent[msg.sms.sid]', keep));
  expect(part(flow, 'messages')).toMatchObject(filledIn(read));
  expect(part(flow, 'undelivered')).toMatchObject(setTo('payload', missing));
  const undelivered = new Promise<Loose>((resolve) =>
    host.node('list-missing').on('input', resolve),
  );
  const [bob] = host.sandbox.messages.filter(({ to }) => to === people[1].phone);
  Object.assign(bob ?? {}, { status: 'undelivered', error_code: 30003 });
  host.sandbox.messages.unshift({
    ...host.sandbox.messages[0],
    ...bob,
    sid: `SM${'0'.repeat(32)}`,
  } as never);
  host.node('list-later').receive({});
  expect((await undelivered).payload).toEqual([{ name: 'Bob', error: '30003' }]);
});

// As the guide describes.
test('sends once to each number if a trigger node handles two clicks', async () => {
  const bound = (key: string, value: string) => ({
    [`input${key}`]: value,
    [`typeOf${key}`]: 'msg',
  });
  await host.deploy([
    accountNode(host.sandbox),
    {
      ...{ id: 'once', type: 'trigger', wires: [['send']], op1type: 'pay', op2type: 'nul' },
      ...{ duration: '10', units: 's', bytopic: 'topic', topic: 'payload.to', outputs: 1 },
    },
    {
      ...{ id: 'send', type: 'telephony-send-sms', account: 'account' },
      ...{ inputFrom: '+14155550100', inputBody: 'Hello', ...bound('To', 'payload.to') },
    },
  ]);
  const numbers = ['+12025550143', '+12025550144'];
  const passed: string[] = [];
  host.node('send').on('input', ({ payload }: Loose) => passed.push(payload.to));
  for (const to of [...numbers, ...numbers]) host.node('once').receive({ payload: { to } });
  await until(() => host.sandbox.messages.length === 2);
  expect(passed).toEqual(numbers);
});

test('lists each missed caller of the last seven days once', async () => {
  const [calls, change] = recipe('Missed calls');
  const flow = await deploy('Missed calls', 'missed', 'shown');
  expect(part(flow, 'calls')).toMatchObject(filledIn(calls));
  expect(part(flow, 'callers')).toMatchObject(setTo('payload', change));
  for (const callers of [[], ['+12025550143']]) {
    host.node('missed-callers').receive({
      payload: callers.map((from) => ({ direction: 'inbound', from })),
    });
    await until(() => shown.length + caught.length > 0);
    expect(shown.splice(0).map(({ payload }) => payload)).toEqual([callers]);
  }
  const hour = 3_600_000;
  // The expression uses the clock of Node-RED, not that of the sandbox.
  for (const [index, call] of host.sandbox.calls.entries())
    call.start_time = new Date(Date.now() - index * 2 * hour).toUTCString();
  host.node('missed-press').receive({});
  await until(() => shown.length + caught.length > 0);
  const missed = host.sandbox.calls
    .slice(0, (7 * 24) / 2)
    .filter(({ direction }) => direction === 'inbound')
    .filter(({ status }) => ['no-answer', 'busy', 'failed'].includes(status));
  expect(new Set(missed.map(({ status }) => status))).toEqual(new Set(['no-answer', 'busy']));
  expect([...shown[0].payload]).toEqual([...new Set(missed.map(({ from }) => from))]);
});

describe('with webhooks', () => {
  const number = '+14155550100';
  const caller = '+12025550143';
  /** Deploys an example with webhooks from the service for the number. */
  async function deployWithWebhooks(name: string) {
    const flow = await deployExample(name, { publicAddress: host.url });
    host.sandbox.reset();
    const address = `${host.url}/telephony/events/account`;
    host.sandbox.events.numbers.set(number, { smsUrl: address, statusCallback: address });
    return flow;
  }
  async function write(body: string, from = caller) {
    host.sandbox.receiveMessage({ from, to: number, body });
    await host.sandbox.events.settled();
  }
  const replies = () =>
    host.sandbox.messages
      .filter(({ direction }) => direction === 'outbound-reply')
      .map(({ from, to, body }) => ({ from, to, body }));

  const oncePerHour = { func: snippetsOf(sectionOf(page, 'Answer an SMS'), 'js')[0]?.trim() };

  test('replies to an SMS, once per sender and hour', async () => {
    const [text] = recipe('Answer an SMS');
    const flow = await deployWithWebhooks('Answer an SMS');
    expect(part(flow, 'received')).toMatchObject({ replies: true });
    expect(part(flow, 'once')).toMatchObject(oncePerHour);
    expect(part(flow, 'reply')).toMatchObject(filledIn(text));
    const other = '+12025550144';
    const hour = 60 * 60 * 1_000;
    const answered = () => host.node('answer-once').context().get('answered');
    const body = 'Thank you for your message. We answer today.';
    const to = (sender: string) => ({ from: number, to: sender, body });
    await write('Are you open?');
    await write('And on Sunday?', other);
    expect(replies()).toEqual([to(other), to(caller)]);
    host
      .node('answer-once')
      .context()
      .set('answered', { [caller]: Date.now() - hour });
    await write('Hello?');
    expect(replies()).toEqual([to(caller), to(other), to(caller)]);
    expect(answered()).toEqual({ [caller]: expect.any(Number) });
    const passed: string[] = [];
    host.node('answer-reply').on('input', ({ payload }: Loose) => passed.push(payload.from));
    for (const from of [caller, other]) host.node('answer-once').receive({ payload: { from } });
    await until(() => passed.length > 0);
    expect(passed).toEqual([other]);
  });

  const isEqual = (fields: Record<string, string> = {}) => {
    const { value: property, type: propertyType } = typed(fields.Property);
    const rules = expect.arrayContaining([{ t: 'eq', v: fields['=='], vt: 'str' }]);
    return { property, propertyType, rules };
  };

  test('sends an SMS about a missed call and about no other call', async () => {
    const [status, sms] = recipe('Tell me when a call was missed');
    const flow = await deployWithWebhooks('Tell me when a call was missed');
    expect(part(flow, 'missed')).toMatchObject(isEqual(status));
    expect(part(flow, 'send')).toMatchObject(filledIn(sms));
    const done: Loose[] = [];
    host.node('alert-sent').on('input', (message: Loose) => done.push(message));
    host.sandbox.messages.length = 0;
    for (const end of ['completed', 'no-answer', 'busy'] as const) {
      host.sandbox.receiveCall({ from: '+12025550199', to: number, end });
      host.sandbox.pass(60);
      await host.sandbox.events.settled();
    }
    await until(() => done.length > 1);
    const missed = { from: sms?.From, to: sms?.To, body: 'You missed a call from +12025550199.' };
    expect(sent()).toEqual([missed, missed]);
  });

  test('the example flow records messages of callers, and lists them with players', async () => {
    const [greeting, call, change] = recipe('Voicemail');
    const section = sectionOf(page, 'Voicemail');
    const example = readExample('Voicemail');
    expect(part(example, 'record')).toMatchObject({
      operation: 'reply-record',
      ...{ inputSay: greeting?.Greeting, inputMaxLength: greeting?.['Time limit (seconds)'] },
    });
    const { 'Call SID': callSid = '', ...rest } = call ?? {};
    expect(part(example, 'caller')).toMatchObject(filledIn({ ...rest, CallSid: callSid }));
    expect(part(example, 'keep')).toMatchObject({ func: snippetsOf(section, 'js')[0]?.trim() });
    expect(part(example, 'all')).toMatchObject({
      rules: [{ tot: 'flow', to: change?.['to the value']?.replace('flow.', '') }],
    });
    expect(part(example, 'list')).toMatchObject({
      template: snippetsOf(section, 'handlebars')[0]?.trim(),
    });

    // Replaces the response to a browser.
    const answer = { id: 'voicemail-answer', type: 'debug', active: false };
    await deployExample('Voicemail', { publicAddress: host.url, media: true }, answer);
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

  test('a call that no one answers goes on with the voicemail', async () => {
    const event = (id: string, ...next: string[]): Node => ({
      ...{ id, type: `telephony-${id}`, account: 'account', replies: true, wires: [next] },
    });
    await host.deploy([
      accountNode(host.sandbox, { publicAddress: host.url }),
      event('call-received', 'forward'),
      {
        ...{ id: 'forward', type: 'telephony-reply', operation: 'reply-forward' },
        ...{ inputTo: '+12025550199', inputTimeout: '10', typeOfTimeout: 'num' },
      },
      event('call-not-answered', 'record'),
      { id: 'record', type: 'telephony-reply', operation: 'reply-record', inputSay: 'Speak.' },
    ]);
    host.sandbox.reset();
    const url = `${host.url}/telephony/events/account`;
    host.sandbox.events.numbers.set(incoming.to, { voiceUrl: url, statusCallback: url });
    const recorded = () => host.sandbox.recordings.map(({ source }) => source);
    const before = recorded();
    for (const forwarded of ['busy', 'completed'] as const) {
      const { sid } = host.sandbox.receiveCall({ ...incoming, forwarded });
      for (const seconds of [0, 2, 2, 1, 4, 1]) {
        host.sandbox.pass(seconds);
        await host.sandbox.events.settled();
      }
      const leg = host.sandbox.calls.find((call) => call.parent_call_sid === sid);
      expect(leg?.status).toBe(forwarded);
      expect(recorded()).toEqual(['RecordVerb', ...before]);
    }
  });

  test('the example flow forwards, records or asks again, by the key that a caller presses', async () => {
    const [menu, choice, forward, record, few, again] = recipe('Phone menu');
    const example = readExample('Phone menu');
    const question = (fields: Record<string, string> = {}) => ({
      ...{ inputSay: fields.Question, inputNumDigits: fields['Number of keys'] },
    });
    expect(part(example, 'ask')).toMatchObject(question(menu));
    expect(part(example, 'choice')).toMatchObject({
      property: choice?.Property?.replace('msg.', ''),
      rules: [{ t: 'eq', v: choice?.['=='] }, { t: 'eq', v: '2' }, { t: 'else' }],
    });
    expect(part(example, 'forward')).toMatchObject(filledIn(forward));
    expect(part(example, 'record')).toMatchObject({ inputSay: record?.Greeting });
    expect(part(example, 'few')).toMatchObject({
      property: few?.Property?.replace('msg.', ''),
      rules: [{ t: 'lt', v: few?.['<'], vt: 'num' }],
    });
    expect(part(example, 'again')).toMatchObject(question(again));

    await deployExample('Phone menu', { publicAddress: host.url });
    host.sandbox.reset();
    const press = (keys: string[], ...seconds: number[]) =>
      callAndAnswer(host.sandbox, `${host.url}/telephony/events/account`, keys, ...seconds);
    expect(await press(['*', '', '1'], 2, 4)).toMatchObject({
      heard: [menu?.Question, again?.Question, again?.Question],
      created: { calls: [[incoming.from, forward?.To, 'completed', '4'], {}] },
    });
    expect(await press(['2'], 3, 4)).toMatchObject({
      heard: [menu?.Question, record?.Greeting],
      created: { recordings: [['RecordVerb', 'completed', '4']] },
    });
  });

  test('confirms an appointment when the customer replies YES', async () => {
    const [yes, change, thanks, otherwise] = recipe('Appointment confirmed by replying YES');
    const flow = await deployWithWebhooks('Appointment confirmed by YES');
    expect(part(flow, 'yes')).toMatchObject(isEqual(yes));
    expect(part(flow, 'keep')).toMatchObject(setTo('confirmed', change));
    expect(part(flow, 'thanks')).toMatchObject(filledIn(thanks));
    expect(part(flow, 'once')).toMatchObject(oncePerHour);
    expect(part(flow, 'otherwise')).toMatchObject(filledIn(otherwise));
    const confirmed = () => host.node('confirm-received').context().flow.get('confirmed');
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
