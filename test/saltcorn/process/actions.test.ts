import { definitions } from '../../../src/builder.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { button, createButtons, createNative, createPage } from '../app.ts';
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

let host: Host;
beforeAll(async () => {
  host = await startSaltcorn();
});
beforeEach(() => takeRequests(host.sandbox));

const actions = (): Record<string, Loose> => state().actions;
const run = (name: string, configuration: object, row?: object) =>
  actions()[name].run({ configuration, row, user: { id: 1, email: 'me@example.com' } });

const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

/** The names of all actions. What can't be undone has none for each row. */
const names = definitions.actions.flatMap(({ name, asks }) =>
  asks ? [name] : [name, `${name} for each row`],
);

test('every action is in the namespace of the plugin', () => {
  const ours = Object.entries(actions()).filter(([, action]) => action.namespace === 'Telephony');
  expect(ours.map(([name]) => name)).toEqual([
    ...names,
    ...['SMS received', 'Say', 'Forward', 'Record', 'Ask'].map((name) => `Reply: ${name}`),
    ...['SMS received', 'Caller answered'].map((name) => `Update a row: ${name}`),
  ]);
  expect(ours.map(([name]) => name)).toContain('Send SMS');
});

const sender = async (configuration: object) => {
  await installPlugin(artefact, { ...host.settings, ...configuration });
  const [{ required, sublabel }] = actions()['Send SMS'].configFields();
  return [required, sublabel.replace(/ <span.*/, '').replace(/.*\d\. /, '')];
};

test('the sender is required, unless the settings have a default sender', async () => {
  const withDefault = await sender({ defaultSender: '+14155550100' });
  const without = await sender({});
  expect([without, withDefault]).toEqual([
    [true, "Required, unless the module's settings have a default sender."],
    [false, "Defaults to the sender in the module's settings."],
  ]);
});

test('an action has a form with its fields', () => {
  const fields = actions()['Send SMS'].configFields();
  expect(
    fields.map(({ name, label, required, input_type }: Loose) => [
      name,
      label,
      required,
      input_type,
    ]),
  ).toEqual([
    ['from', 'From', true, undefined],
    ['to', 'To', true, undefined],
    ['body', 'Body', true, 'textarea'],
  ]);
  expect(fields[2].sublabel).toBe(
    "The text of the message, up to 1,600 characters. <code>{{ name }}</code> inserts the row's value of that name.",
  );
});

/** The types of fields that Saltcorn's builder draws. It draws only the label of others. */
const drawn = ['String', 'Integer', 'Float', 'Bool', 'select', 'textarea'];

test.each(names)('the builder draws every field of %s', async (name) => {
  const fields: Loose[] = await actions()[name].configFields();
  const types = fields.map(({ name: field, input_type, type }) => [field, input_type ?? type]);
  expect(types.filter(([, type]) => !drawn.includes(type))).toEqual([]);
});

test('the builder offers replies to triggers and workflows, not to buttons', () => {
  const of = (place: object): string[] =>
    model('trigger')
      .action_options({ ...place, notRequireRow: true, apiNeverTriggers: true, builtIns: [] })
      .find(({ label }: Loose) => label === 'Telephony')
      .options.filter((name: string) => name.startsWith('Reply: '));
  const replies = ['Ask', 'Forward', 'Record', 'SMS received', 'Say'].map(
    (name) => `Reply: ${name}`,
  );
  expect([of({ forBuilder: true }), of({}), of({ forWorkflow: true })]).toEqual([
    [],
    replies,
    replies,
  ]);
});

test('an optional choice starts empty, because the builder would store its first option', () => {
  const fields: Loose[] = actions()['Make a Call'].configFields();
  const choices = fields.filter(({ attributes }) => attributes.options);
  expect(choices.map(({ name, required, default: first }) => [name, required, first])).toEqual(
    ['language', 'machineDetection', 'record'].map((name) => [name, false, '']),
  );
});

test.each<[action: string, provider: string | null, defaults: object]>([
  ['End a Call', 'Telephony: Account Calls', { callSid: '{{ sid }}' }],
  ['End a Call', 'Telephony: Recordings by date', { callSid: '{{ callSid }}' }],
  [
    'Stop a Call Recording',
    'Telephony: Recordings by date',
    { callSid: '{{ callSid }}', recordingSid: '{{ sid }}' },
  ],
  ['End a Call', 'Telephony: Account Messages', {}],
  ['Send SMS', 'Telephony: Account Calls', {}],
  ['End a Call', null, {}],
])("a new %s in a view of %j starts with the row's SIDs", (action, provider_name, defaults) => {
  const fields: Loose[] = actions()[action].configFields({ table: { provider_name } });
  const given = fields.filter((field) => field.default !== undefined);
  expect(Object.fromEntries(given.map((field) => [field.name, field.default]))).toEqual(defaults);
});

test.each<[column: string, type: string, starts: string | undefined]>([
  ['phone', 'String', '{{ phone }}'],
  ['mobile_number', 'String', '{{ mobile_number }}'],
  ['tel', 'String', '{{ tel }}'],
  ['phone', 'Integer', undefined],
  ['hotel', 'String', undefined],
])(
  'with a column %s of type %s, To of a new button starts with %s',
  async (column, type, starts) => {
    const columns = [
      { name: 'name', type: { name: 'String' } },
      { name: column, type: { name: type } },
    ];
    for (const name of ['Send SMS', 'Make a Call', 'Make a Call for each row']) {
      const table = { name: 'Visits', fields: columns };
      const fields: Loose[] = await actions()[name].configFields({ table });
      const defaults = fields
        .filter((field) => field.default && !field.name.startsWith('rows_'))
        .map((field) => [field.name, field.default]);
      expect(defaults).toEqual(starts ? [['to', starts]] : []);
    }
  },
);

test.each<[action: string, columns: string[], defaults: object]>([
  ['Send SMS', ['to', 'body'], { to: '{{ to }}', body: '{{ body }}' }],
  ['Send SMS', ['from', 'to', 'body', 'phone'], { to: '{{ to }}', body: '{{ body }}' }],
  ['Send SMS', ['from', 'body'], {}],
  ['Send SMS', ['body', 'phone'], { to: '{{ phone }}' }],
  ['Send SMS', ['from', 'to', 'phone'], { to: '{{ phone }}' }],
  ['Make a Call', ['to', 'phone'], { to: '{{ to }}' }],
  ['End a Call', ['callSid'], { callSid: '{{ callSid }}' }],
])('a new %s for rows with %j starts with %j', (action, columns, defaults) => {
  const fields = columns.map((name) => ({ name, type: { name: 'String' } }));
  const shown: Loose[] = actions()[action].configFields({ table: { name: 'Replies', fields } });
  const given = shown.filter((field) => field.default);
  expect(Object.fromEntries(given.map((field) => [field.name, field.default]))).toEqual(defaults);
});

const bodies: [typed: string, row: object | undefined, sent: string][] = [
  ['Tom & Jerry <b>say</b> "hi"', undefined, 'Tom & Jerry <b>say</b> "hi"'],
  ['Zeile 1\nZeile 2\r\n\tZeile 3 😀', undefined, 'Zeile 1\nZeile 2\n\tZeile 3 😀'],
  ['Dear {{ name }}', { name: 'Tom & <b>Jerry</b>' }, 'Dear Tom & <b>Jerry</b>'],
  ['Dear {{! name }}', { name: 'Tom & Jerry' }, 'Dear Tom & Jerry'],
  ['{{ name.toUpperCase() }}, {{= name }}', { name: 'Tom{{ 1 }}' }, 'TOM{{ 1 }}, Tom{{ 1 }}'],
  ['Dear {{ name || "" }}!', { name: null }, 'Dear !'],
  ['Dear {{ name ?? "friend" }}!', { name: null }, 'Dear friend!'],
  ['{{ row.name }} owes {{ sum }}', { name: 'Ada', sum: 0 }, 'Ada owes 0'],
  ['From {{ user.email }}', undefined, 'From me@example.com'],
  ['a {single} $& brace', undefined, 'a {single} $& brace'],
];

test.each(bodies)('sends the message %j of the row %j as %j', async (body, row, sent) => {
  const result = await run('Send SMS', { ...sms, body }, row);
  const [message] = host.sandbox.messages;
  expect(message?.body).toBe(sent);
  const said = saltcorn('data/utils').escapeHtml(sent.replace(/\s+/g, ' '));
  expect(result).toEqual({ notify_success: `Message to +12025550143 queued: “${said}”` });
});

const empty = ['', ' ', null, undefined];
const gaps: [body: string, row: object | undefined, gap: string][] = [
  ['Write to {{ user.emial }}', undefined, 'user.emial'],
  ['{{ user.emial }}', undefined, 'user.emial'],
  ['{{ user.email }}, {{ row.nmae }}', { name: 'Ada' }, 'row.nmae'],
  ...empty.map((name): [string, object, string] => ['Dear {{! name }}!', { name }, 'name']),
];
test.each(gaps)('sends nothing if %j of the row %j leaves a gap', async (body, row, gap) => {
  await expect(run('Send SMS', { ...sms, body }, row)).rejects.toThrow(
    `{{ ${gap} }} in "Body" has no value. Check the name, or add a default: {{ ${gap} || "" }}.`,
  );
  expect(takeRequests(host.sandbox)).toEqual([]);
});

const lines: [variables: string, default_: string][] = [
  ['1={{ name }}', '"-"'],
  ['{"1":"{{ name }}"}', '"-"'],
  ['{{ nmae?.all }}', '""'],
];
test.each(lines)(
  'the default that it names for the variables %j can be sent',
  async (variables, given) => {
    const template = { ...sms, body: undefined, contentSid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0001' };
    const send = (contentVariables: string) =>
      run('Send a Template', { ...template, contentVariables }, { name: '', nmae: {} });
    const [placeholder = '', code] = /\{\{ (.*?) \}\}/.exec(variables) ?? [];
    const withDefault = `{{ ${code} || ${given} }}`;
    await expect(send(variables)).rejects.toThrow(
      `${placeholder} in "Variables" has no value. Check the name, or add a default: ${withDefault}.`,
    );
    await send(variables.replace(placeholder, withDefault));
  },
);

const maps: [typed: string, row: object, sent: Record<string, string>][] = [
  ['1={{ name }}', { name: 'Ann\n2=EVIL' }, { 1: 'Ann 2=EVIL' }],
  [
    '1={{ name + 0 }}\n2={{ due }}',
    { name: 'Ann\r\n3=EVIL', due: 9 },
    { 1: 'Ann 3=EVIL0', 2: '9' },
  ],
  ['{"1":"{{ name }}"}', { name: 'Ann","2":"EVIL' }, { 1: 'Ann","2":"EVIL' }],
  ['{"1":"{{ name }}","2":"{{ due }}"}', { name: 'Ann\nBo', due: 9 }, { 1: 'Ann\nBo', 2: '9' }],
  // The column is the map.
  ['{{ name }}', { name: '1=Ann\n2=9' }, { 1: 'Ann', 2: '9' }],
];
test.each(maps)(
  'fills the variables %j in from the row %j',
  async (contentVariables, row, sent) => {
    const contentSid = 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0001';
    await run('Send a Template', { ...sms, body: undefined, contentSid, contentVariables }, row);
    const bodies = host.sandbox.requests.map(({ body }) => new URLSearchParams(body));
    expect(bodies.map((body) => JSON.parse(body.get('ContentVariables') ?? ''))).toEqual([sent]);
  },
);

const tomorrow = new Date('2026-11-21T12:00:00Z');
const inUtc = `${tomorrow.toISOString().slice(0, 19)}Z`;
const times: [typed: string, row: object][] = [
  ['{{ due }}', { due: tomorrow }],
  ['{{ row.due }}', { due: tomorrow }],
  ['{{ due.toISOString() }}', { due: tomorrow }],
  ['{{ moment(due).toISOString() }}', { due: tomorrow }],
  ['{{ due }}', { due: inUtc.replace('T', ' ') }],
];

test.each(times)('schedules a message at %j of the row %j', async (sendAt, row) => {
  const later = { messagingServiceSid: 'MG1', sendAt, scheduleType: 'fixed' };
  const result = await run('Send a Message', { ...sms, ...later }, row);
  // No page shows it.
  expect(result.notify_success).toMatch(/It will be sent on 2026-11-21 12:00:00 UTC\.$/);
  const sent = host.sandbox.requests.map(({ body }) =>
    Object.fromEntries(new URLSearchParams(body)),
  );
  expect(sent).toEqual([
    {
      From: sms.from,
      MessagingServiceSid: 'MG1',
      To: sms.to,
      Body: sms.body,
      SendAt: inUtc,
      ScheduleType: 'fixed',
    },
  ]);
  expect(host.sandbox.messages[0]?.status).toBe('scheduled');
});

test.each([{ due: null }, { due: new Date(Number.NaN) }, { due: 'soon' }])(
  'sends nothing if the time in the row %j is invalid',
  async (row) => {
    const later = { messagingServiceSid: 'MG1', sendAt: '{{ due }}', scheduleType: 'fixed' };
    await expect(run('Send a Message', { ...sms, ...later }, row)).rejects.toThrow('"Send at"');
    expect(takeRequests(host.sandbox)).toEqual([]);
  },
);

test('fills in a template again if Saltcorn timed out on it', async () => {
  let attempts = 0;
  const name = () => {
    attempts += 1;
    while (attempts === 1);
    return 'Ada';
  };
  await run('Send SMS', { ...sms, body: 'Dear {{ name() }}' }, { name });
  expect(host.sandbox.messages[0]?.body).toBe('Dear Ada');
});

test('says that a template took too long, not that it is wrong', async () => {
  const name = () => {
    for (;;);
  };
  await expect(run('Send SMS', { ...sms, body: 'Dear {{ name() }}' }, { name })).rejects.toThrow(
    'Filling in "Body" took Saltcorn too long, so nothing was sent. Try again when the machine is less busy.',
  );
  expect(takeRequests(host.sandbox)).toEqual([]);
});

test('starts a recording from the row of a call', async () => {
  const call = host.sandbox.calls.find(({ status }) => status === 'in-progress');
  const result = await run('Create a Call Recording', { callSid: '{{ sid }}' }, call);
  const [recording] = host.sandbox.recordings;
  expect(recording).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
  expect(result).toEqual({ notify_success: 'Recording status: in-progress' });
  expect(takeRequests(host.sandbox)).toEqual([`POST /Calls/${call?.sid}/Recordings.json`]);
});

const failures: [name: string, configuration: object, error: string, requests: number][] = [
  [
    'Send SMS',
    { ...sms, to: '' },
    '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
    0,
  ],
  [
    'Send SMS',
    { ...sms, to: '+15005550001' },
    `The number in "To" is not a valid phone number. Enter it with its country code, such as +14155550100. The service said: Invalid 'To' Phone Number: +15005550001 (21211)`,
    1,
  ],
  [
    'Send SMS',
    { ...sms, body: '{{ nobody < 1 }}' },
    '{{ nobody ‹ 1 }} in "Body" is not a valid formula: nobody is not defined',
    0,
  ],
  [
    'Send SMS',
    { ...sms, body: '{{ user.email }}: {{ user. }}' },
    '{{ user. }} in "Body" is not a valid formula: Unexpected token',
    0,
  ],
  [
    'Create a Call Recording',
    { callSid: '..' },
    '"Call SID" must be an ID from the service: up to 64 letters, digits, "-" or "_".',
    0,
  ],
];

test.each(failures)('%s with %j fails', async (name, configuration, error, requests) => {
  const before = host.sandbox.messages.length;
  await expect(run(name, configuration)).rejects.toThrow(error);
  expect(takeRequests(host.sandbox)).toHaveLength(requests);
  expect(host.sandbox.messages).toHaveLength(before);
});

test('never resends an SMS whose outcome is unknown, and the error says so', async () => {
  const before = host.sandbox.messages.length;
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
  host.sandbox.faults.add(shownNowhere);
  await expect(run('Send SMS', sms)).rejects.toThrow(
    'Send SMS (From +14155550100, To +12025550143): The service\'s response could not be read. The outcome of "Send SMS" is unknown; it was not sent again. The plugin could not check the outcome, because the service has no "Account Messages". Check your account\'s message log before you send it again.',
  );
  expect(host.sandbox.messages).toHaveLength(before + 1);
});

const senders: [
  defaultSender: string | undefined,
  from: string,
  row: object,
  sent: string | undefined,
][] = [
  ['+14155550111', '', {}, '+14155550111'],
  ['+14155550111', ' ', {}, '+14155550111'],
  ['+1 (415) 555-0111', '', {}, '+14155550111'],
  ['+14155550111', '+14155550100', {}, '+14155550100'],
  ['+14155550111', '{{ shop }}', { shop: '+14155550122' }, '+14155550122'],
  // A missing value must not become the default sender, unless the formula says that it may be missing.
  ['+14155550111', '{{ shop }}', { shop: null }, undefined],
  ['+14155550111', '{{ shop || "" }}', { shop: '' }, '+14155550111'],
  ['+14155550111', '{{ shop || "" }}', { shop: '+14155550122' }, '+14155550122'],
  [undefined, '', {}, undefined],
  [undefined, '{{ shop || "" }}', { shop: '' }, undefined],
];
test.each(senders)(
  'default sender %j and From %j of the row %j send from %j',
  async (defaultSender, from, row, sent) => {
    await installPlugin(artefact, { ...host.settings, ...(defaultSender && { defaultSender }) });
    const before = host.sandbox.messages.length;
    const result = run('Send SMS', { ...sms, from }, row);
    if (sent === undefined)
      await expect(result).rejects.toMatchObject({ code: 'input', field: 'from' });
    else await result;
    const [message] = host.sandbox.messages.slice(0, host.sandbox.messages.length - before);
    expect(message?.from).toBe(sent);
  },
);

test('without any sender, the error says where to set one', async () => {
  await installPlugin(artefact, host.settings);
  await expect(run('Send SMS', { ...sms, from: '' })).rejects.toThrow(
    '"From" is empty. Enter one of your numbers, or set "Default sender" in the module\'s settings.',
  );
});

test('uses no default sender if a messaging service chooses one', async () => {
  await installPlugin(artefact, { ...host.settings, defaultSender: '+14155550111' });
  host.sandbox.requests.length = 0;
  const messagingServiceSid = 'MG0123456789abcdef0123456789abcdef';
  await run('Send a Message', { ...sms, from: '', messagingServiceSid });
  const withoutService = { ...sms, from: '', messagingServiceSid: '{{ service }}' };
  await expect(run('Send a Message', withoutService, { service: null })).rejects.toThrow(
    'The message has no sender.',
  );
  const [sent] = host.sandbox.requests.filter(({ method }) => method === 'POST');
  expect(Object.fromEntries(new URLSearchParams(sent?.body))).toEqual({
    ...{ MessagingServiceSid: messagingServiceSid, To: sms.to, Body: sms.body },
  });
});

describe('a click', () => {
  let website: Website;
  beforeAll(async () => {
    website = await startWebsite();
    const table = await createNative('Visits', { user: 'String', phone: 'String' });
    await createPage('page', button('sms', 'Send SMS', sms));
    await createButtons('edit', 'Edit', table, [button('sms', 'Send SMS', sms)]);
  });

  const page = '/page/page/action/sms';
  // Saltcorn spreads a row over the arguments, so a row could impersonate another user.
  const form = '/view/edit/run_action';
  const claim = { rndid: 'sms', user: '{"role_id":1}' };
  const clicks: [role: number, minimumRole: string | undefined, path: string, sent: number][] = [
    [1, undefined, page, 1],
    [40, undefined, page, 0],
    [100, undefined, page, 0],
    [100, undefined, form, 0],
    [40, '80', page, 1],
    [100, '80', page, 0],
    [100, '100', page, 1],
  ];
  test.each(clicks)(
    'of role %s with minimum role %s on %s sends %s SMS',
    async (role, minimumRole, path, sent) => {
      await installPlugin(artefact, { ...host.settings, ...(minimumRole && { minimumRole }) });
      const visitor = role === 100 ? await website.guest() : await website.user(role);
      const before = host.sandbox.messages.length;
      const answer = await visitor.post(path, claim);
      expect(host.sandbox.messages).toHaveLength(before + sent);
      if (sent === 0)
        expect(answer.notify).toBe(
          "You may not run “Send SMS”. An administrator can allow it in the module's settings.",
        );
    },
  );
});

describe('a workflow step', () => {
  const step = (configuration: object) =>
    actions()['Send SMS'].run({ configuration, mode: 'workflow', row: {} });

  test('passes its record to the steps that follow', async () => {
    const result = await step(sms);
    const [message] = host.sandbox.messages;
    expect(result).toEqual({ message: expect.objectContaining({ sid: message?.sid, ...sms }) });
  });

  test('fails in a way that an error handler sees', async () => {
    await expect(step({ ...sms, to: '' })).rejects.toMatchObject({ code: 'input', field: 'to' });
  });
});

test('without settings, the error of an action says where to enter them', async () => {
  await installPlugin(artefact, {});
  await expect(run('Send SMS', sms)).rejects.toThrow(
    `"username" in the module's settings is empty. Enter it first.`,
  );
  await installPlugin(artefact, host.settings);
});
