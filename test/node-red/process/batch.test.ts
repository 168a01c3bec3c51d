import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operation } from '../../../src/builder.ts';
import { parametersOf } from '../../events/fixtures.ts';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { type Gate, gateIn } from '../../support/gate.ts';
import { proxyTo } from '../../support/reverse-proxy.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { accountNode, artefact, type Host, type Loose, type Node, startNodeRed } from '../host.ts';
import { nodeOf } from '../node-of.ts';

const { ifUnknown } = Object(operation('send-sms'));

const rows = [
  { id: 1, name: 'Ada', phone: '+12025550101' },
  { id: 2, name: 'Bob', phone: '+1 (202) 555-0102' },
  { id: 3, name: 'Bob at home', phone: '+12025550102' },
  { id: 4, name: 'Cleo' },
  { id: 5, name: 'Dan', phone: '+12025550105' },
];

const many = Array.from({ length: 20 }, (_, id) => ({ id, phone: `+120255502${10 + id}` }));

const batchNode: Node = {
  ...{ id: 'each', ...nodeOf('send-sms-for-each-row'), account: 'account' },
  ...{ inputFrom: '+14155550100', typeOfFrom: 'str', inputTo: 'payload.phone', typeOfTo: 'msg' },
  ...{ inputBody: '"Hello " & (payload.name ? payload.name : "you")', typeOfBody: 'jsonata' },
  ...{ rowKey: 'id', rowName: 'name', wires: [['preview'], ['progress'], ['result']] },
};

let host: Host;
let url: string;
let proxy: Awaited<ReturnType<typeof proxyTo>>;
beforeAll(async () => {
  // A fixed clock would contradict the plugin's, and then no sent message would be found in the log.
  host = await startNodeRed(undefined, {}, () => new Date());
  proxy = await proxyTo(host.sandbox.url);
  url = proxy.url;
});

/** The messages from a node's outputs, and those of Catch and Complete nodes. */
type Got = Record<'preview' | 'progress' | 'result' | 'caught' | 'completed', Loose[]>;
let got: Got;

/** Deploys the node, and collects the messages that it sends. */
async function deploy(
  changes: object = {},
  others: Node[] = [],
  ofAccount: object = {},
): Promise<void> {
  const sinks = ['preview', 'progress', 'result', 'caught', 'completed'];
  await host.deploy([
    accountNode(host.sandbox, { baseUrl: url, ...ofAccount }),
    { ...batchNode, ...changes },
    ...others,
    { id: 'errors', type: 'catch', scope: ['each'], wires: [['caught']] },
    { id: 'done', type: 'complete', scope: ['each'], wires: [['completed']] },
    ...sinks.map((id) => ({ id, type: 'debug', active: false })),
  ]);
  got = { preview: [], progress: [], result: [], caught: [], completed: [] };
  const into = got;
  for (const id of sinks)
    host.node(id).on('input', (message: Loose) => into[id as keyof Got].push(message));
  host.takeWarnings();
  takeRequests(host.sandbox);
}

let messages = 0;
/** Sends the node a message. Resolves when the node is done with it. */
async function put(message: object): Promise<void> {
  messages += 1;
  const _msgid = `m${messages}`;
  host.node('each').receive({ ...message, _msgid });
  const isOf = (one: Loose) => one._msgid === _msgid;
  await until(() => got.completed.some(isOf) || got.caught.some(isOf));
}

async function preview(payload: unknown = rows): Promise<Loose> {
  await put({ payload, kept: 'yes' });
  return got.preview.at(-1);
}

const start = ({ batch }: Loose) => put({ batch, start: true });
const recipients = () => host.sandbox.messages.map(({ to }) => to).reverse();

beforeEach(async () => {
  host.sandbox.reset();
  host.sandbox.messages.length = 0;
  proxy.handler = (_from, _to, forward) => forward();
  // Each test changes a field, so that batches of earlier tests do not count.
  batchNode.inputBody = `"Hello " & (payload.name ? payload.name : "you") & "${Math.random()}"`;
  await deploy();
});

const noNumber = '"To" is missing: msg.payload.phone has no value.';

test('the status counts the rows that are read while a formula is slow', async () => {
  await deploy({ inputBody: '$string($sum([1..10000].($ * 2)))' });
  let shown: (string | undefined)[] = [];
  // The count is shown once a second: how many rows that takes depends on the machine.
  for (let count = 60; shown.length === 0 && count < 1000; count *= 2) {
    const people = Array.from({ length: count }, (_, id) => ({
      id,
      phone: `+12025${55_0000 + id}`,
    }));
    expect((await preview(people)).payload.counts.waiting).toBe(count);
    shown = host
      .takeStatuses()
      .map(([, text]) => text)
      .filter(Boolean);
    expect(shown.pop()).toBe(`preview: ${count} waiting`);
    for (const text of shown) expect(text).toMatch(RegExp(`^Rows read: \\d+ of ${count}$`));
  }
  expect(shown).not.toEqual([]);
});

test('previews what it would send, and sends nothing', async () => {
  batchNode.inputBody = '"Hello " & payload.name';
  await deploy();
  expect(await preview()).toEqual({
    ...{ _msgid: expect.any(String), kept: 'yes', batch: { key: expect.any(String) } },
    payload: {
      state: 'preview',
      label: 'Send 4 SMS',
      text: [
        'Send SMS for 4 rows: Ada (+12025550101), Bob (+12025550102), Bob at home (+12025550102), Dan (+12025550105)',
        'First message: From “+14155550100”, To “+12025550101”, Body “Hello Ada”',
        'Cost: 4 SMS segments to 3 people. Country: US. Sender: +14155550100.',
        '1 number is in several of these rows:',
        'Bob (+12025550102), Bob at home (+12025550102)',
        'Skipping 1 row:',
        `Cleo: ${noNumber}`,
      ].join('\n'),
      counts: { sent: 0, failed: 1, waiting: 4 },
      cost: { segments: 4, recipients: 3, senders: ['+14155550100'], countries: { US: 4 } },
      example: { from: '+14155550100', to: '+12025550101', body: 'Hello Ada' },
      rows: [
        { key: '1', who: 'Ada (+12025550101)', outcome: 'waiting' },
        { key: '2', who: 'Bob (+12025550102)', outcome: 'waiting' },
        { key: '3', who: 'Bob at home (+12025550102)', outcome: 'waiting' },
        { key: '4', who: 'Cleo', outcome: 'failed', message: noNumber },
        { key: '5', who: 'Dan (+12025550105)', outcome: 'waiting' },
      ],
    },
  });
  expect(takeRequests(host.sandbox)).toEqual([]);
  expect(host.takeStatuses().at(-1)).toEqual(['each', 'preview: 4 waiting', 'blue']);
});

test('names rows in one line each, whatever their names are', async () => {
  await deploy({ inputBody: 'Hello', typeOfBody: 'str' });
  const own = [
    { id: 1, name: 'Ada\nSkipping 9 rows: Bob', phone: '+12025550171' },
    { id: 2, name: 'x'.repeat(10_000), phone: '+12025550172' },
    { id: 3, name: '', phone: '' },
  ];
  const { payload } = await preview(own);
  const names = ['Ada Skipping 9 rows: Bob', `${'x'.repeat(79)}…`, '#3'];
  expect(payload.rows.map(({ who }: Loose) => who.replace(/ \(.*/, ''))).toEqual(names);
  const lines: string[] = payload.text.split('\n');
  expect(lines.filter((line) => line.startsWith('Skipping'))).toEqual(['Skipping 1 row:']);
  expect(payload.text.length).toBeLessThan(1_000);
});

test('sends a batch that is started, and the result of each row', async () => {
  batchNode.inputBody = 'Your table is ready.';
  batchNode.typeOfBody = 'str';
  await deploy();
  await start(await preview([...rows, { id: 6, name: 'Eve', phone: '+15005550001' }]));
  batchNode.typeOfBody = 'jsonata';
  expect(recipients().sort()).toEqual(['+12025550101', '+12025550102', '+12025550105']);
  const [result, ...others] = got.result;
  expect(others).toEqual([]);
  expect(result.payload.counts).toEqual({ sent: 3, skipped: 1, failed: 2 });
  expect(result.payload.rows.map(({ outcome }: Loose) => outcome)).toEqual([
    ...['sent', 'sent', 'skipped', 'failed', 'sent', 'failed'],
  ]);
  const message = 'same message as another row';
  expect(result.payload.rows[2]).toEqual({
    ...{ key: '3', who: 'Bob at home (+12025550102)', outcome: 'skipped', message },
  });
  expect(result).not.toHaveProperty('start');
  expect(got.caught.map(({ error }) => [error.message.split('\n')[0], error.cause])).toEqual([
    [
      '"Send SMS for each row": 3 sent, 1 skipped, 2 failed.',
      { docs: 'docs/troubleshooting.md#rejected' },
    ],
  ]);
  expect(got.caught[0].error.message).toContain(`Cleo: ${noNumber}`);
  expect(host.takeStatuses().at(-1)).toEqual([
    ...['each', '3 sent, 1 skipped, 2 failed', 'yellow'],
  ]);
});

/** Holds all messages but the first ones at the service. */
function holdAfter(count: number): Gate {
  let passed = 0;
  return gateIn(proxy, (path) => {
    if (!path.endsWith('/Messages.json')) return false;
    passed += 1;
    return passed > count;
  });
}

const stops: [how: string, stop: (batch: object) => object][] = [
  ['its key', (batch) => ({ stop: true, batch })],
  ['no key', () => ({ stop: true })],
  ['reset', () => ({ reset: true })],
];
test.each(stops)(
  'stopped with %s, it finishes what is in progress, and the next preview offers the rest',
  async (_, stop) => {
    const asked = await preview(many);
    const gate = holdAfter(3);
    const started = start(asked);
    await gate.holds(5);
    await put(stop(asked.batch));
    await gate.open();
    await started;
    const { counts } = got.result[0].payload;
    expect(counts).toEqual({ sent: recipients().length, 'not run': 20 - recipients().length });
    expect(recipients().length).toBeLessThan(12);
    const ended = `${counts.sent} sent, ${counts['not run']} not run.`;
    expect(got.result[0].payload.text).toContain(`Send SMS: ${ended}\n`);
    expect(got.result[0].payload.text).toContain(
      '\nTo continue, send the rows again and start the new preview.',
    );
    await start(asked);
    const errors = got.caught.map(({ error }) => error.message.split('\n')[0]);
    expect(errors).toEqual(Array(2).fill(`"Send SMS for each row": ${ended}`));
    const next = await preview(many);
    expect(next.payload.counts).toEqual({
      ...{ sent: 0, skipped: counts.sent, waiting: counts['not run'] },
    });
    expect(next.payload.previous).toMatchObject({ key: asked.batch.key, counts });
    await start(next);
    expect(recipients().sort()).toEqual(many.map(({ phone }) => phone).sort());
    expect(host.sandbox.messages).toHaveLength(20);
  },
);

test('a deploy lets messages in progress finish, records their outcome, and runs no more', async () => {
  const asked = await preview(many);
  const gate = holdAfter(3);
  host.node('each').receive({ batch: asked.batch, start: true });
  await gate.holds(5);
  const closing = host.closing();
  const deployed = deploy();
  await closing;
  await gate.open();
  await deployed;
  const sent = recipients().length;
  expect(sent).toBeLessThan(12);
  await put({ batch: asked.batch, show: true });
  expect(got.result[0].payload.counts).toEqual({ sent, 'not run': 20 - sent });
  expect(host.logged()).toContain(`${sent} sent, ${20 - sent} not run`);
  const next = await preview(many);
  expect(next.payload.label).toBe(`Send ${20 - sent} SMS`);
  await start(next);
  expect(recipients().sort()).toEqual(many.map(({ phone }) => phone).sort());
});

test('sends its progress, at most once per second', async () => {
  const asked = await preview(many);
  const gate = holdAfter(7);
  const startedAt = performance.now();
  const started = start(asked);
  await gate.holds(5);
  await until(() => got.progress.some(({ payload }) => payload.counts.sent === 7));
  expect(got.progress.at(-1).payload).toEqual({
    ...{ state: 'running', counts: { sent: 7, waiting: 13 } },
    text: '7 of 20: 7 sent, 13 waiting',
  });
  await gate.open();
  await started;
  const seconds = Math.floor((performance.now() - startedAt) / 1_000);
  // One more at the start, and one because a timer can end early.
  expect(got.progress.length).toBeLessThanOrEqual(seconds + 2);
  expect(got.result[0].payload.counts).toEqual({ sent: 20 });
});

test('a deleted batch is gone, and the next preview offers all rows', async () => {
  const asked = await preview(many);
  await start(asked);
  await put({ batch: asked.batch, delete: true });
  await put({ batch: asked.batch, show: true });
  expect(got.caught[0].error.message).toContain('belongs to someone else');
  const next = await preview(many);
  expect(next.payload.label).toBe('Send 20 SMS');
  expect(next.payload.text).toContain('result of the last batch was deleted');
});

const people = [
  { id: 1, phone: '+12025550111' },
  { id: 2, phone: '+12025550112' },
];

test('a flow that starts each preview texts no one twice, however often it runs', async () => {
  const deployLoop = () =>
    deploy({ wires: [['preview', 'start'], ['progress'], ['result']] }, [
      {
        ...{ id: 'start', type: 'change', wires: [['each']] },
        rules: [{ t: 'set', p: 'start', pt: 'msg', to: 'true', tot: 'bool' }],
      },
    ]);
  const outcomes = [];
  for (const payload of [people, people, [...people, { id: 3, phone: '+12025550113' }]]) {
    await deployLoop();
    host.node('each').receive({ _msgid: 'row', payload });
    await until(() => got.result.length > 0);
    outcomes.push(got.result.map((one) => [one.payload.state, one.payload.counts]));
  }
  expect(outcomes).toEqual([
    [['ended', { sent: 2 }]],
    [['ended', { sent: 0, skipped: 2 }]],
    [['ended', { sent: 1, skipped: 2 }]],
  ]);
  expect(recipients().sort()).toEqual(['+12025550111', '+12025550112', '+12025550113']);
});

test.each<[node: object, message: object, isSkipped: boolean]>([
  [{}, {}, true],
  [{ skipSent: true }, {}, true],
  [{ skipSent: false }, {}, false],
  [{}, { skipSent: false }, false],
  [{ skipSent: false }, { skipSent: true }, true],
])(
  'rows that a complete batch sent, with %o and the message %o',
  async (node, message, isSkipped) => {
    await deploy(node);
    await start(await preview(people));
    const sids = got.result[0].payload.rows.map(({ sid }: Loose) => sid);
    expect([...sids].sort()).toEqual(host.sandbox.messages.map(({ sid }) => sid).sort());
    await put({ payload: people, ...message });
    const next = got.preview.at(-1);
    const rows = people.map(({ id, phone }, index) => ({
      ...{ key: String(id), who: phone, outcome: isSkipped ? 'skipped' : 'waiting' },
      ...{ sid: sids[index], repeated: true, ...(isSkipped && { message: 'already sent' }) },
    }));
    expect(next.payload).toMatchObject({ rows, repeated: { count: 2, isSkipped } });
    expect(next.payload.label).toBe(isSkipped ? undefined : 'Send 2 SMS');
    expect(next).not.toHaveProperty('skipSent');
    expect(next.payload.text).toContain(
      isSkipped
        ? 'This was already sent to 2 of these rows. They are skipped. To send it to them again, send the rows again with msg.skipSent set to false.'
        : 'This was already sent to 2 of these rows. They get it again.',
    );
  },
);

const fromAnotherNode = 'A button, trigger, workflow or flow sent another text to 1 of these rows';

test('rows that another node texted today are skipped if it was the same, and included otherwise', async () => {
  const own = { name: 'Ada' };
  const sms = {
    ...{ id: 'sms', type: 'telephony-send-sms', account: 'account', wires: [['single']] },
    ...{ inputFrom: '+1 415 555 0100', inputTo: 'to', typeOfTo: 'msg' },
    ...{ inputBody: 'text', typeOfBody: 'msg' },
  };
  await deploy({ inputBody: 'Hello', typeOfBody: 'str' }, [
    sms,
    { id: 'single', type: 'debug', active: false },
  ]);
  const [first, second, third] = ['+12025550161', '+12025550162', '+12025550163'];
  for (const [to, text] of [
    ['+1 (202) 555-0161', 'Hello'],
    [second, 'Your ring was found.'],
  ])
    host.node('sms').receive({ to, text, _msgid: `single ${to}` });
  await until(() => host.sandbox.messages.length === 2);
  await until(() => host.takeStatuses().some(([id, text]) => id === 'sms' && text === '2 sent'));
  const phones = [first, second, third].map((phone) => ({ ...own, phone }));
  const { payload } = await preview(phones);
  expect(payload).toMatchObject({
    ...{ repeated: { count: 1, isSkipped: true }, sentSingly: { count: 1, isSkipped: false } },
    rows: [
      { outcome: 'skipped', repeated: true },
      { outcome: 'waiting', sentSingly: true },
      { outcome: 'waiting' },
    ],
  });
  expect(payload.text).toContain(`${fromAnotherNode} within the last day.`);
  await put({ payload: phones, skipChanged: true });
  expect(got.preview.at(-1).payload.sentSingly).toEqual({ count: 1, isSkipped: true });
});

test('rows of who opted out are skipped by name, whether they answered STOP or the service refused them', async () => {
  const single = {
    ...{ id: 'sms', type: 'telephony-send-sms', account: 'account', wires: [] },
    ...{ inputFrom: '+14155550100', inputTo: 'to', typeOfTo: 'msg', inputBody: 'Hi' },
  };
  await deploy({}, [single], {
    publicAddress: host.url,
    credentials: { password: host.sandbox.password, authToken: '' },
  });
  const people = [
    { name: 'Ada', phone: '+12025550181' },
    { name: 'Bob', phone: '+15005550004' },
    { name: 'Cleo', phone: '+12025550182' },
  ];
  const outcomes = async () => {
    const { payload } = await preview(people);
    return payload.rows.map(({ outcome }: Loose) => outcome);
  };
  expect(await outcomes()).toEqual(['waiting', 'waiting', 'waiting']);
  host.node('sms').receive({ to: people[1]?.phone, _msgid: 'refused' });
  await until(() => host.takeStatuses().some(([id, , color]) => id === 'sms' && color === 'red'));
  const answer = (id: string) =>
    postEvent(
      `${host.url}/telephony/events/account`,
      signedForm(
        {
          ...parametersOf(id),
          ...{ From: '+12025550181', To: '+14155550100', AccountSid: host.sandbox.username },
        },
        { url: `${host.url}/telephony/events/account`, token: host.sandbox.password },
      ),
    );
  expect(await answer('opted-out')).toMatchObject({ status: 200 });
  expect(await outcomes()).toEqual(['opted out', 'opted out', 'waiting']);
  expect(got.preview.at(-1).payload.text).toContain(
    'Ada (+12025550181), Bob (+15005550004): The recipient unsubscribed by replying STOP.',
  );
  await start(got.preview.at(-1));
  expect(got.result.at(-1).payload.counts).toEqual({ sent: 1, 'opted out': 2 });
  expect(recipients()).toEqual(['+12025550182']);
  await answer('opted-in');
  expect((await outcomes()).slice(0, 2)).toEqual(['waiting', 'opted out']);
});

test('a node sends even if what it sent cannot be stored for batches', async () => {
  const other = { ...accountNode(host.sandbox), id: 'full' };
  host.makeFolder('telephony-batches-full.jsonl');
  const sms = {
    ...{ id: 'sms', type: 'telephony-send-sms', account: 'full', wires: [[]] },
    ...{ inputFrom: '+14155550100', inputTo: '+12025550164', inputBody: 'The disk is full.' },
  };
  await deploy({}, [other, sms]);
  host.node('sms').receive({ _msgid: 'single' });
  await until(() => recipients().includes('+12025550164'));
});

/** Stops a batch after some rows, and gives all rows another text. */
async function stopAndCorrect(
  // Batches of other tests must not count.
  own: { id?: string; phone: string }[] = many.map(({ id, phone }) => ({
    ...{ id: `${id} ${Math.random()}`, phone },
  })),
) {
  const asked = await preview(own);
  const gate = holdAfter(3);
  const started = start(asked);
  await gate.holds(5);
  await put({ stop: true });
  await gate.open();
  await started;
  return own.map((row, index) => ({ ...row, name: `Number ${index}` }));
}

test.each<[choice: object, isSkipped: boolean, label: RegExp, text: string]>([
  [{}, true, /^Send (9|1\d) SMS$/, 'with msg.skipChanged set to false'],
  [{ skipChanged: true }, true, /^Send (9|1\d) SMS$/, 'with msg.skipChanged set to false'],
  [{ skipChanged: false }, false, /^Send 20 SMS$/, 'with msg.skipChanged set to true'],
])(
  'rows that a stopped batch sent another text, with %o',
  async (choice, isSkipped, label, text) => {
    const payload = await stopAndCorrect();
    const texted = recipients().length;
    await put({ payload, ...choice });
    const next = got.preview.at(-1);
    const skipped = isSkipped ? texted : 0;
    expect(next.payload).toMatchObject({
      counts: { sent: 0, ...(isSkipped && { skipped }), waiting: 20 - skipped },
      changed: { count: texted, isSkipped },
      ...{ label: expect.stringMatching(label), text: expect.stringContaining(text) },
    });
    expect(next).not.toHaveProperty('skipChanged');
  },
);

test('rows without the key that a stopped batch sent another text are recognised by their recipient', async () => {
  const people = many.map(({ id }) => ({ phone: `+120255503${10 + id}` }));
  await put({ payload: await stopAndCorrect(people) });
  const texted = recipients().length;
  const { payload } = got.preview.at(-1);
  expect(payload).toMatchObject({
    counts: { sent: 0, skipped: texted, waiting: 20 - texted },
    changed: { count: texted, isSkipped: true },
  });
  expect(payload.text).toContain(
    '\n20 rows have no “id” (Row key), so the plugin recognises them by their recipient.',
  );
  await deploy({ rowKey: '' });
  expect((await preview(people)).payload.text).not.toContain('Row key');
});

const wrong: [what: string, message: object, error: RegExp][] = [
  ['no rows', {}, /msg.payload must be an array of rows. Nothing was sent./],
  ['false for rows', { payload: false }, /must be an array/],
  ['a text for rows', { payload: 'everyone' }, /must be an array/],
  ['an empty array', { payload: [] }, /has no rows. Nothing was sent./],
  ['a choice that is a text', { payload: rows, skipChanged: 'false' }, /must be true or false/],
  ['another such choice', { payload: rows, skipSent: 1 }, /msg.skipSent must be true or false/],
  ['an empty row', { payload: [rows[0], null] }, /Row 2 of msg.payload must be an object/],
  ['a row that is a text', { payload: ['+12025550101'] }, /Row 1 of msg.payload/],
  [
    'rows that cannot be sent',
    { payload: [rows[3]] },
    /^"Send SMS for each row": Nothing was sent\.\nCleo: "To" is missing: [^\n]*$/,
  ],
  [
    'start without a key',
    { start: true, payload: rows },
    /msg.batch.key is missing.*Send the rows for a preview/,
  ],
  ['start with a key that is none', { start: true, batch: { key: true } }, /key is missing/],
  ['an unknown key', { start: true, batch: { key: 'x' } }, /belongs to someone else/],
  ['delete without a key', { delete: true }, /msg.batch.key is missing/],
  ['a stop of an unknown key', { stop: true, batch: { key: 'x' } }, /belongs to someone else/],
  ['too many rows', { payload: Array(1_001).fill(rows[0]) }, /There are 1,001 rows.*Nothing was/],
];
test.each(wrong)(
  '%s: an error that says what to do, and nothing is sent',
  async (_, message, error) => {
    await put(message);
    expect(got.caught.map((one) => one.error.message)).toEqual([expect.stringMatching(error)]);
    expect([...got.preview, ...got.result]).toEqual([]);
    expect(takeRequests(host.sandbox)).toEqual([]);
  },
);

test('a start that is not true starts nothing', async () => {
  const asked = await preview();
  for (const value of ['true', 1, false, undefined])
    await put({ ...asked, payload: rows, start: value });
  expect([got.preview.length, got.result.length]).toEqual([5, 0]);
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test('another node cannot start the batch', async () => {
  const asked = await preview();
  await deploy({ id: 'other' }).catch(() => {});
  host.node('other').receive({ _msgid: 'other', batch: asked.batch, start: true });
  await until(() => host.logged().includes('belongs to someone else'));
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test('a row whose response is lost is searched in the message log, and its outcome says what to do', async () => {
  const asked = await preview([rows[0]]);
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
  host.sandbox.faults.add({ ...shownNowhere, times: 1 });
  await start(asked);
  expect(got.result[0].payload.rows).toMatchObject([{ outcome: 'unknown' }]);
  expect(got.result[0].payload.rows[0].message).toContain(ifUnknown);
  expect(got.caught[0].error.code).toBe('unknown-outcome');
  const next = await preview([rows[0]]);
  expect(next.payload).toMatchObject({ label: "Check the account's log" });
  await start(next);
  expect(got.result[1].payload.counts).toEqual({ sent: 1 });
  expect(host.sandbox.messages).toHaveLength(1);
});

test('the example texts its rows after a preview', async () => {
  const example: Loose[] = JSON.parse(
    readFileSync(join(artefact, 'examples/SMS for each row.json'), 'utf8'),
  );
  const chosen = { account: 'account', inputFrom: '+14155550100' };
  await host.deploy([
    accountNode(host.sandbox),
    ...example
      .filter(({ type }) => type !== 'tab')
      .map(({ z: _, ...one }) => ({ ...one, ...(one.inputTo && chosen) })),
  ]);
  const shown: Loose[] = [];
  for (const id of ['rows-shown', 'rows-result'])
    host.node(id).on('input', ({ payload }: Loose) => shown.push(payload.state));
  host.node('rows-preview').receive({});
  await until(() => shown.length > 0);
  expect(host.sandbox.messages).toEqual([]);
  host.node('rows-start').receive({});
  await until(() => shown.length > 1);
  expect(shown).toEqual(['preview', 'ended']);
  expect(host.sandbox.messages.map(({ to, body }) => [to, body]).sort()).toEqual([
    ['+12025550101', 'Hello Ada, your table is ready.'],
    ['+12025550102', 'Hello Bob, your table is ready.'],
    ['+12025550103', 'Hello Cleo, your table is ready.'],
  ]);
});
