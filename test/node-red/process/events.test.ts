import { definitions, eventDefinition, inEnglish } from '../../../src/builder.ts';
import { fixtures, parametersOf, receivedSince } from '../../events/fixtures.ts';
import { postEvent, postForged } from '../../events/post.ts';
import { account, signedForm } from '../../events/signed.ts';
import { callIn, incoming } from '../../support/call-in.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

const publicAddress = 'https://node-red.example.com/flows';
const address = `${publicAddress}/telephony/events/account`;

let host: Host;
let got: Record<string, Loose[]>;
let caught: Loose[];
beforeAll(async () => {
  host = await startNodeRed(undefined, {
    httpNodeMiddleware: (request: Loose, response: Loose, next: () => void) =>
      request.headers['x-stranger'] ? response.writeHead(401).end() : next(),
  });
});
beforeEach(() => {
  host.sandbox.reset();
  host.takeWarnings();
});

/** An account with webhooks through a proxy. */
const ofProxy = (overrides: object = {}) =>
  accountNode(host.sandbox, {
    username: account.username,
    // Node-RED keeps a credential until another one, or an empty one, replaces it.
    credentials: { password: account.password, authToken: '' },
    publicAddress,
    ...overrides,
  });

/** An account with webhooks directly from the sandbox. */
const ofSandbox = () =>
  accountNode(host.sandbox, {
    publicAddress: host.url,
    credentials: { password: host.sandbox.password, authToken: '' },
  });

const sink = (id: string) => ({ id, type: 'debug', active: false });
const eventNode = (id: string, properties: object = {}): Node => ({
  ...{ id, type: `telephony-${id}`, account: 'account', wires: [[`got-${id}`]] },
  ...properties,
});
const eventNodes = definitions.events.map(({ id }) => eventNode(id));

/** Deploys nodes, with a sink after each event node. */
async function deploy(...nodes: Node[]) {
  await host.deploy([
    ...nodes,
    ...nodes.filter(({ type }) => type !== 'telephony-account').map(({ id }) => sink(`got-${id}`)),
    { id: 'errors', type: 'catch', wires: [['caught']] },
    sink('caught'),
  ]);
  listen();
}

function listen() {
  got = {};
  caught = [];
  for (const { id } of definitions.events) {
    const messages: Loose[] = [];
    got[id] = messages;
    host.node(`got-${id}`)?.on('input', (message: Loose) => messages.push(message));
  }
  host.node('caught').on('input', (message: Loose) => caught.push(message));
}

const post = (parameters: Record<string, string>, headers = {}) =>
  postEvent(
    `${host.url}/telephony/events/account`,
    signedForm(parameters, { url: address }),
    headers,
  );

let count = 0;
/** A new event. */
function another(id: string, changes: Record<string, string> = {}) {
  count += 1;
  const [sid = ''] = Object.keys(parametersOf(id)).filter((name) =>
    /^(Message|Call|Recording)Sid$/.test(name),
  );
  return { ...parametersOf(id), [sid]: `XX${count}`, ...changes };
}

const received = { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' };
const lastStatusOf = (id: string) =>
  host
    .takeStatuses()
    .filter(([node]) => node === id)
    .at(-1)
    ?.slice(1);

describe('an account with a public URL', () => {
  beforeEach(() => deploy(ofProxy(), ...eventNodes));

  test.each(fixtures)('%s: delivers the whole record once', async (id, fixture) => {
    host.takeStatuses();
    const before = Date.now();
    expect(await post(fixture.parameters)).toEqual(received);
    expect(await post(fixture.parameters)).toEqual(received);
    const payload = receivedSince(before, id, fixture);
    const message = { payload, event: { id }, _msgid: expect.any(String) };
    expect(JSON.parse(JSON.stringify(got[id]))).toEqual([message]);
    expect(Object.values(got).flat()).toHaveLength(eventDefinition(id).of ? 2 : 1);
    expect(lastStatusOf(id)).toEqual([
      expect.stringMatching(/^1 received, last: \w{3} \d+, \d\d:\d\d$/),
      'green',
    ]);
  });

  test('adds the audio URL to a recording if the account serves audio', async () => {
    await deploy(ofProxy({ media: true }), ...eventNodes);
    await post(another('recording-ready', { RecordingSid: 'RE5' }));
    expect(got['recording-ready']?.[0].payload.media).toBe(
      '/telephony/media/account/recording/RE5',
    );
  });

  test('delivers an event to each of its nodes', async () => {
    const [first] = eventNodes;
    await deploy(ofProxy(), ...eventNodes, { ...eventNode(first?.id ?? ''), id: 'second' });
    await post(another(first?.id ?? ''));
    expect(got[first?.id ?? '']).toHaveLength(2);
  });

  test('rejects 1000 forged requests and logs each reason once', async () => {
    const ways = await postForged(`${host.url}/telephony/events/account`, address);
    // 400 is the web server's own response to invalid HTTP.
    expect([...ways.keys()].filter((status) => status !== 400)).toEqual([403]);
    expect(got).toEqual(Object.fromEntries(eventNodes.map(({ id }) => [id, []])));
    const warnings = host.takeWarnings();
    expect(warnings).toEqual([...new Set(warnings)]);
    expect(warnings).toContain('Refused a request for another account.');
    await post(another('sms-received'));
    expect(got['sms-received']).toHaveLength(1);
  });

  test('applies httpNodeMiddleware to the webhook URL', async () => {
    const { status } = await post(another('sms-received'), { 'x-stranger': 'yes' });
    expect(status).toBe(401);
    expect(got['sms-received']).toEqual([]);
  });

  test.each(['other', 'sms-received'])('answers 404 for a non-account ID: %s', async (id) => {
    const url = `${host.url}/telephony/events/${id}`;
    const { status } = await postEvent(url, signedForm(another('sms-received'), { url: address }));
    expect(status).toBe(404);
  });

  test('shows the editor the time of the last event and the last refusal', async () => {
    const report = async () =>
      (await fetch(`${host.url}/telephony/event-report/account`)).json() as Promise<Loose>;
    const before = new Date().toISOString();
    await post(another('call-status'));
    await postEvent(`${host.url}/telephony/events/account`, signedForm(another('sms-received')));
    const { address: shown, last, refused } = await report();
    expect(shown).toBe(address);
    expect(last['call-status'] >= before).toBe(true);
    expect(refused).toEqual({
      at: expect.stringMatching(/^\d{4}-/),
      said: { text: expect.stringMatching(/^Refused a request without a valid signature/) },
    });
    const { status } = await fetch(`${host.url}/telephony/events/account`);
    expect(status).toBe(403);
    const { refused: then } = await report();
    expect(inEnglish(then.said)).toBe(
      'Refused a request that was not a POST. Choose HTTP POST where you enter the webhook URL at the service.',
    );
  });
});

test('with an API key, the Auth Token verifies webhooks and is stored as a secret', async () => {
  const [username, authToken] = ['SK00000000000000000000000000000001', 'f00d-the-auth-token'];
  const credentials = { password: 'the secret of the key', authToken };
  await deploy(ofProxy({ username, accountSid: account.username, credentials }), ...eventNodes);
  const url = `${host.url}/telephony/events/account`;
  const sms = another('sms-received');
  expect(await postEvent(url, signedForm(sms, { url: address }))).toMatchObject({ status: 403 });
  const signed = signedForm(sms, { url: address, token: authToken });
  expect(await postEvent(url, signed)).toEqual(received);
  expect(got['sms-received']).toHaveLength(1);
  for (const kept of [host.read('flows.json'), host.read('flows_cred.json'), host.logged()])
    expect(kept).not.toContain(authToken);
});

const incomplete: [what: string, settings: object, sentence: RegExp][] = [
  ['no public URL', { publicAddress: '' }, /^To receive events, set “Public URL”/],
  ['a public URL without https', { publicAddress: 'http://example.com' }, /must start with https/],
  [
    'an API key without an Auth Token',
    { username: 'SK1', accountSid: 'AC1' },
    /^Enter the Auth Token/,
  ],
];
test.each(incomplete)(
  'with %s, the node reports the problem and receives nothing',
  async (_, settings, sentence) => {
    host.takeStatuses();
    await deploy(ofProxy(settings), ...eventNodes);
    expect(lastStatusOf('sms-received')).toEqual(['check the settings', 'red']);
    expect(host.takeWarnings()).toContainEqual(expect.stringMatching(sentence));
    expect((await post(another('sms-received'))).status).toBe(503);
    const report: Loose = await (await fetch(`${host.url}/telephony/event-report/account`)).json();
    expect(inEnglish(report.problem)).toMatch(sentence);
  },
);

describe('a reply', () => {
  const replying = (text: object = { inputText: 'payload.body', typeOfText: 'msg' }) => [
    eventNode('sms-received', { replies: true, wires: [['got-sms-received', 'change']] }),
    {
      ...{ id: 'change', type: 'change', wires: [['reply']] },
      rules: [{ t: 'set', p: 'payload.again', pt: 'msg', to: 'true', tot: 'bool' }],
    },
    { id: 'reply', ...nodeOf('reply'), ...text },
    { id: 'replied', type: 'complete', scope: ['reply'], wires: [['done']] },
    sink('done'),
  ];
  const sms = { from: '+12025550143', to: '+14155550100', body: 'Tom & <Jerry>' };
  const messages = () =>
    host.sandbox.messages
      .filter(({ direction }) => direction === 'outbound-reply')
      .map(({ from, to, body }) => ({ from, to, body }));

  async function receive() {
    const smsUrl = `${host.url}/telephony/events/account`;
    host.sandbox.events.numbers.set(sms.to, { smsUrl });
    host.sandbox.receiveMessage(sms);
    await host.sandbox.events.settled();
    return host.sandbox.events.log.map(({ tries }) => tries);
  }

  test('sends the text from the flow back to the sender', async () => {
    await deploy(ofSandbox(), ...replying());
    host.takeStatuses();
    expect(await receive()).toEqual([[200]]);
    expect(messages()).toEqual([{ from: sms.to, to: sms.from, body: sms.body }]);
    expect(caught).toEqual([]);
    expect(lastStatusOf('reply')).toEqual(['1 replied', 'green']);
  });

  const unsent: [what: string, nodes: () => Node[], sentence: RegExp, status?: string][] = [
    [
      'to an event whose node has “Reply” unticked',
      () => replying().map((node) => ({ ...node, replies: false })),
      /^No reply was sent, because no event waits for one\. Tick “Reply”/,
      'no event waits for a reply',
    ],
    [
      'from a property without a value',
      () => replying({ inputText: 'payload.text', typeOfText: 'msg' }),
      /^"Text" is missing: msg\.payload\.text has no value\.$/,
    ],
    [
      'that is not text',
      () => replying({ inputText: 'payload', typeOfText: 'msg' }),
      /^"Text" must be text, not an object\.$/,
    ],
    [
      'longer than 1600 characters',
      () => replying({ inputText: 'x'.repeat(1601), typeOfText: 'str' }),
      /^"Text" must be text of at most 1,600 characters\.$/,
    ],
  ];
  test.each(unsent)('%s fails and sends no SMS', async (...[, nodes, sentence, status]) => {
    await deploy(ofSandbox(), ...nodes());
    const answers = receive();
    await until(() => caught.length > 0);
    expect(caught.map(({ error }) => error.message)).toEqual([expect.stringMatching(sentence)]);
    expect(lastStatusOf('reply')).toEqual([status ?? 'check the fields', 'red']);
    // Ends all waiting replies.
    await deploy(ofSandbox());
    expect(await answers).toEqual([[200]]);
    expect(messages()).toEqual([]);
  });

  test('can be sent only once per event', async () => {
    const again = { id: 'again', ...nodeOf('reply'), inputText: 'Hi', typeOfText: 'str' };
    const nodes = replying().map((node) =>
      node.id === 'change' ? { ...node, wires: [['reply', 'again']] } : node,
    );
    await deploy(ofSandbox(), ...nodes, again);
    expect(await receive()).toEqual([[200]]);
    await until(() => caught.length > 0);
    expect(messages().map(({ body }) => body)).toEqual([sms.body]);
    expect(caught.map(({ error }) => error.message)).toEqual([
      'This event already has a reply. Send a message instead.',
    ]);
  });

  test('fails if it comes too late, and the service still gets a response in time', async () => {
    await deploy(
      ofSandbox(),
      ...replying().map((node) => (node.id === 'change' ? { ...node, wires: [[]] } : node)),
    );
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    try {
      const answers = receive();
      await until(() => got['sms-received']?.length === 1);
      jest.advanceTimersByTime(10_000);
      jest.useRealTimers();
      expect(await answers).toEqual([[200]]);
    } finally {
      jest.useRealTimers();
    }
    host.node('reply').receive(got['sms-received']?.[0]);
    await until(() => caught.length > 0);
    expect(caught[0].error.message).toBe(
      'The reply is too late: the service no longer waits for it. Send a message instead.',
    );
    expect(messages()).toEqual([]);
  });

  test('that a deploy prevents is logged, and the service still gets a response', async () => {
    await deploy(
      ofSandbox(),
      ...replying().map((node) => (node.id === 'change' ? { ...node, wires: [[]] } : node)),
    );
    const answers = receive();
    await until(() => got['sms-received']?.length === 1);
    await deploy(ofSandbox(), ...replying());
    expect(await answers).toEqual([[200]]);
    const { sid } = host.sandbox.messages[0] ?? {};
    expect(host.takeWarnings()).toEqual([
      `“SMS received” (${sid}) got no reply: its node was closed before the reply.`,
    ]);
    expect(messages()).toEqual([]);
  });
});

describe('a reply to a call', () => {
  const answering = (form: string, properties: object) => [
    eventNode('call-received', { replies: true, wires: [['got-call-received', 'reply']] }),
    { id: 'reply', ...nodeOf(form), ...properties },
    eventNode('recording-ready'),
  ];

  const receive = (...seconds: number[]) =>
    callIn(host.sandbox, `${host.url}/telephony/events/account`, ...seconds);

  test('speaks a text from the message', async () => {
    const text = { inputSay: 'payload.from', typeOfSay: 'msg', inputLanguage: 'en-GB' };
    await deploy(ofSandbox(), ...answering('reply-say', text));
    expect(await receive(2, 1)).toEqual({
      calls: [[incoming.from, incoming.to, 'completed', '1']],
      recordings: [],
    });
    expect(got['call-received']?.map(({ payload }) => payload.status)).toEqual(['ringing']);
    expect(caught).toEqual([]);
  });

  test('forwards the call', async () => {
    const to = { inputTo: '+1 310 555 0177', inputTimeout: '20', typeOfTimeout: 'num' };
    await deploy(ofSandbox(), ...answering('reply-forward', to));
    expect(await receive(2, 2, 4)).toEqual({
      calls: [
        [incoming.from, '+13105550177', 'completed', '4'],
        [incoming.from, incoming.to, 'completed', '4'],
      ],
      recordings: [],
    });
    expect(caught).toEqual([]);
  });

  test('records a message, which comes to the flow', async () => {
    const greeting = { inputSay: 'Please speak after the tone', inputMaxLength: '3' };
    await deploy(ofSandbox(), ...answering('reply-record', greeting));
    expect(await receive(2, 2, 3)).toEqual({
      calls: [[incoming.from, incoming.to, 'completed', '5']],
      recordings: [['RecordVerb', 'completed', '3']],
    });
    await until(() => got['recording-ready']?.length === 1);
    expect(got['recording-ready']?.[0].payload).toMatchObject({
      source: 'RecordVerb',
      duration: 3,
    });
    expect(caught).toEqual([]);
  });

  test('of another event fails', async () => {
    await deploy(ofSandbox(), ...answering('reply', { inputText: 'Hi', typeOfText: 'str' }));
    const answers = receive();
    await until(() => caught.length > 0);
    expect(caught[0].error.message).toMatch(
      /^“Call received” has no such reply\. Use “Reply: Say” or/,
    );
    await deploy(ofSandbox());
    expect((await answers).recordings).toEqual([]);
  });

  test('needs a webhook: polling finds no call that waits for one', async () => {
    const polled = { ...ofSandbox(), publicAddress: '', pollMinutes: '5' };
    host.takeWarnings();
    await deploy(polled, eventNode('call-received'));
    expect(host.takeWarnings()).toEqual([
      "“Call received” can't be polled. Set “Public URL” in the account.",
    ]);
  });
});

describe('an SMS from a node', () => {
  const send = {
    ...{ id: 'send', type: 'telephony-send-sms', account: 'account' },
    ...{ inputFrom: '+14155550100', inputTo: '+12025550143', inputBody: 'Hi' },
  };
  const reportsOf = async (settings: object) => {
    const sandbox = { ...ofSandbox(), ...settings };
    await deploy(sandbox, ...eventNodes, { ...send, wires: [['got-send']] });
    const sent = new Promise((resolve) => host.node('got-send').on('input', resolve));
    host.node('send').receive({});
    await sent;
    host.sandbox.pass(60);
    await host.sandbox.events.settled();
    return got['message-status']?.map(({ payload }) => payload.status);
  };

  test('triggers status events if the account requests them', async () => {
    // They arrive at the same time, and late ones are dropped.
    expect((await reportsOf({ reported: true }))?.at(-1)).toBe('delivered');
  });

  test('triggers no status events without the option or a public URL', async () => {
    expect(await reportsOf({})).toEqual([]);
    expect(host.takeWarnings()).toEqual([]);
    expect(await reportsOf({ reported: true, publicAddress: '' })).toEqual([]);
    expect(host.takeWarnings()).toContainEqual(
      expect.stringMatching(/^Status reports are off: The public URL must be a URL/),
    );
  });
});

test('delivers events that arrive during a deploy to the new flows', async () => {
  await deploy(ofProxy(), ...eventNodes);
  const posted: Promise<void>[] = [];
  const postUntilReceived = async (event: Record<string, string>) => {
    for (;;) {
      const postedAt = performance.now();
      if ((await post(event)).status === 200) return;
      // A deploy can take longer than a request waits for it.
      expect(performance.now() - postedAt).toBeGreaterThan(3_900);
    }
  };
  const closing = host.closing().then(() => {
    for (let index = 0; index < 20; index += 1)
      posted.push(postUntilReceived(another('sms-received')));
  });
  const before = host.node('got-sms-received');
  const seen = new Set<string>();
  before.on('input', ({ payload }: Loose) => seen.add(payload.sid));
  await deploy(ofProxy(), ...eventNodes);
  await closing;
  await Promise.all(posted);
  expect(seen.size).toBe(0);
  expect(new Set(got['sms-received']?.map(({ payload }) => payload.sid)).size).toBe(20);
});

test('neither loses nor repeats an event while event nodes are deployed', async () => {
  await deploy(ofProxy(), ...eventNodes);
  const deployed = ['got-sms-received', 'caught'].map(sink);
  let isOver = false;
  const acknowledged: (string | undefined)[] = [];
  const report = async () => {
    while (!isOver) {
      const event = another('sms-received');
      // Like a service that retries until the event is received.
      while ((await post(event)).status !== 200);
      acknowledged.push(event.MessageSid);
    }
  };
  const services = Array.from({ length: 8 }, report);
  for (let index = 0; index < 20; index += 1)
    await host.deploy([ofProxy({ name: `${index}` }), ...eventNodes, ...deployed], 'nodes');
  isOver = true;
  await Promise.all(services);
  const delivered = got['sms-received']?.map(({ payload }) => payload.sid);
  expect(delivered?.sort()).toEqual(acknowledged.sort());
});
