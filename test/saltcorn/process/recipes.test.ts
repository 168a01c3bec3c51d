import { callAndAnswer, callIn, incoming } from '../../support/call-in.ts';
import {
  inlineCodeOf,
  readDocument,
  sectionOf,
  snippetsOf,
  typedIn,
} from '../../support/document.ts';
import {
  createAdministrator,
  createNative,
  createTable,
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
import { startWebsite } from '../website.ts';

const recipe = (heading: string) =>
  typedIn(sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), heading));

let host: Host;
let request: Loose;
beforeAll(async () => {
  host = await startSaltcorn();
  const user = await createAdministrator();
  const { mockReqRes } = saltcorn('data/tests/mocks');
  request = { ...mockReqRes, req: { ...mockReqRes.req, user, query: {} } };
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

const createView = (name: string, viewtemplate: string, table: Loose, configuration: object) =>
  model('view').create({ name, viewtemplate, table_id: table.id, configuration, min_role: 1 });

const send = ({ From, To, Body }: Record<string, string> = {}) => ({
  from: From,
  to: To,
  body: Body,
});
const sent = () => host.sandbox.messages.map(({ from, to, body }) => ({ from, to, body }));

test('a button texts a customer on WhatsApp', async () => {
  const [fields] = recipe('Text a customer on WhatsApp');
  const { run } = state().actions['Send SMS'];
  const row = { name: 'Ada', phone: '+1 202 555 0101' };
  expect(await run({ configuration: send(fields), row, user: { id: 1 } })).toEqual({
    notify_success: expect.stringMatching(/^Message to whatsapp:\+12025550101 queued/),
  });
  expect(sent()).toEqual([
    {
      ...{ from: 'whatsapp:+14155550100', to: 'whatsapp:+12025550101' },
      body: 'Dear Ada, your order is ready.',
    },
  ]);
});

// As the questions say.
test('a button sends a template with a value of the row', async () => {
  const section = sectionOf(readDocument('docs/questions.md'), 'How do I use a template?');
  const [lines = {}] = typedIn(section);
  const configuration = {
    ...{ from: '+14155550100', to: '{{ phone }}' },
    contentSid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002',
    contentVariables: `${lines.Saltcorn}\n2=1002`,
  };
  const row = { name: 'Grace', phone: '+12025550105' };
  const { run } = state().actions['Send a Template'];
  await run({ configuration, row, user: { id: 1 } });
  const [text = ''] = inlineCodeOf(section);
  const body = text.replace('{{1}}', row.name).replace('{{2}}', '1002');
  expect(sent()).toEqual([{ from: configuration.from, to: row.phone, body }]);
});

test('a button texts this customer', async () => {
  const [fields] = recipe('Text this customer');
  const table = await createNative('Customers', { name: 'String', phone: 'String' });
  const id = await table.insertRow({ name: 'Ada', phone: '+1 202 555 0101' });
  const action = {
    ...{ type: 'action', rndid: 'text', action_name: 'Send SMS', minRole: 1 },
    ...{ action_label: fields?.Label, configuration: send(fields) },
  };
  const columns = [{ ...action, type: 'Action' }];
  await createView('Customer', 'Show', table, { columns, layout: action });
  const view = model('view').findOne({ name: 'Customer' });
  expect(await view.run({ id }, request)).toContain(fields?.Label);
  const body = { rndid: 'text', id };
  const click = { ...request, req: { ...request.req, body } };
  await view.runRoute('run_action', body, request.res, click);
  expect(sent()).toEqual([
    { from: fields?.From, to: '+12025550101', body: 'Dear Ada, please call us back.' },
  ]);
});

test('a desk plays the recordings of a caller', async () => {
  const [views = {}] = recipe('A desk for recordings');
  const table = await createTable('Recordings', 'Telephony: Recordings by caller id');
  const shown = Object.entries(views).map(([label, fieldview]) => {
    const { name: field_name } = table.fields.find((field: Loose) => field.label === label);
    return { field_name, fieldview };
  });
  expect(shown).toHaveLength(3);
  await createView('Recordings', 'List', table, {
    columns: shown.map((column) => ({ type: 'Field', ...column })),
    layout: {
      list_columns: true,
      besides: shown.map((column) => ({ contents: { type: 'field', ...column } })),
    },
    default_state: { _rows_per_page: 20 },
  });
  const from = '+12025550143';
  const html = await model('view').findOne({ name: 'Recordings' }).run({ from }, request);
  const calls = host.sandbox.calls.filter((call) => call.from === from).map(({ sid }) => sid);
  const theirs = host.sandbox.recordings.filter(({ call_sid }) => calls.includes(call_sid));
  expect(html.match(/<audio /g)).toHaveLength(Math.min(theirs.length, 20));
  expect(html).toMatch(/<td[^>]*>\d+:\d\d</);
});

describe('appointments', () => {
  const [calculated, confirm, remind, moved] = recipe('Appointment reminders');
  const day = (offset: number) => {
    const now = new Date();
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset, 10, 30);
  };
  let table: Loose;
  beforeAll(async () => {
    const expression = calculated?.Formula;
    table = await createNative('Appointments', {
      ...{ name: 'String', phone: 'String', time: 'Date' },
      ...{ sms: 'String', sms_sid: 'String', sms_time: 'Date' },
      day: { type: 'String', calculated: true, stored: true, expression },
    });
  });
  afterEach(async () => {
    for (const trigger of model('trigger').find({})) await trigger.delete();
    await state().refresh_triggers();
  });

  test('are confirmed when saved', async () => {
    await createTrigger({
      ...{ name: 'confirm', when_trigger: 'Insert', action: 'Send SMS' },
      table_id: table.id,
      configuration: send(confirm),
    });
    await table.insertRow({
      name: 'Ada',
      phone: '+12025550101',
      time: new Date(2027, 0, 5, 10, 30),
    });
    expect(sent()).toEqual([
      {
        from: confirm?.From,
        to: '+12025550101',
        body: 'Dear Ada, see you on 5 January, 10:30.',
      },
    ]);
  });

  test('of tomorrow, and no others, get one reminder, and another one if moved', async () => {
    for (const [index, offset] of [-1, 0, 1, 2].entries())
      await table.insertRow({
        name: `N${offset}`,
        phone: `+1202555011${index}`,
        time: day(offset),
      });
    await createTrigger({
      ...{ name: 'remind', when_trigger: 'Daily', action: 'Send SMS for each row' },
      configuration: {
        ...send(remind),
        rows_table: remind?.['Rows of'],
        rows_where: remind?.['Only where'],
        rows_limit: remind?.['Maximum rows'],
        rows_outcome: remind?.['Outcome column'],
        rows_sid: remind?.['SID column'],
        rows_time: remind?.['Time column'],
      },
    });
    await createTrigger({
      ...{ name: 'moved', when_trigger: 'Update', action: 'modify_row', table_id: table.id },
      configuration: { _only_if: moved?.['Only if'], row_expr: moved?.['Row expression'] },
    });
    const reminder = { from: remind?.From, to: '+12025550112' };
    const trigger = loadedTrigger('remind');
    await trigger.runWithoutRow({});
    await trigger.runWithoutRow({});
    expect(sent()).toEqual([{ ...reminder, body: 'Dear N1, until tomorrow at 10:30.' }]);
    const { id } = await table.getRow({ name: 'N1' });
    await table.updateRow({ name: 'Ada' }, id);
    await trigger.runWithoutRow({});
    expect(sent()).toHaveLength(1);
    await table.updateRow({ time: day(5) }, id);
    await table.updateRow({ time: day(1) }, id);
    await trigger.runWithoutRow({});
    expect(sent()[0]).toEqual({ ...reminder, body: 'Dear Ada, until tomorrow at 10:30.' });
    expect(sent()).toHaveLength(2);
  });
});

test('a campaign resumes where it stopped', async () => {
  const section = sectionOf(
    readDocument('docs/builders/saltcorn-recipes.md'),
    'A campaign that can be stopped',
  );
  const [fields] = typedIn(section);
  const table = model('table').findOne({ name: fields?.['Rows of'] });
  for (const [name, type] of [
    ['sms', 'String'],
    ['sms_sid', 'String'],
    ['sms_time', 'Date'],
  ])
    await model('field').create({ table, name, label: name, type });
  await table.deleteRows({});
  for (const name of ['Ada', 'Grace', 'Edsger'])
    await table.insertRow({
      name,
      phone: `+1202555010${name.length}`,
      ...(name === 'Ada' && { sms: 'sent' }),
    });
  const press = () =>
    state().actions['Send SMS for each row'].run({
      configuration: {
        ...send(fields),
        rows_table: fields?.['Rows of'],
        rows_limit: fields?.['Maximum rows'],
        rows_outcome: fields?.['Outcome column'],
        rows_sid: fields?.['SID column'],
        rows_time: fields?.['Time column'],
      },
      mode: 'workflow',
    });
  expect(await press()).toMatchObject({ done: 2, alreadyDone: 1 });
  expect(await press()).toMatchObject({ done: 0, alreadyDone: 3 });
  expect(
    sent()
      .map(({ body }) => body)
      .sort(),
  ).toEqual(['Edsger', 'Grace'].map((name) => `Dear ${name}, we have moved: 5 Harbour Street.`));
  const [formula = ''] = snippetsOf(section, 'js');
  await table.insertRow({ name: 'Alan', phone: '+12025550109' });
  const { jsexprToWhere } = saltcorn('data/models/expression');
  const left = await table.getRows(jsexprToWhere(formula.trim(), {}, table.fields));
  expect(left.map(({ name }: Loose) => name)).toEqual(['Alan']);
});

test('a list shows who did not receive a message, and why', async () => {
  const section = sectionOf(
    readDocument('docs/builders/saltcorn-recipes.md'),
    'Who did not get it?',
  );
  const [settings, views] = typedIn(section);
  const [formula = ''] = snippetsOf(section, 'js');
  const customers = model('table').findOne({ name: 'Customers' });
  await customers.deleteRows({});
  for (const name of ['Ada', 'Grace', 'Edsger', 'Alan'])
    await customers.insertRow({ name, phone: `+1 (202) 555-010${name.length}` });
  const fates: [name: string, fate: object][] = [
    ['Ada', { status: 'undelivered', error_code: 30005 }],
    ['Grace', { status: 'delivered', error_code: null }],
    ['Edsger', { status: 'failed', error_code: 30001, date_sent: null }],
    [
      'Alan',
      { status: 'undelivered', error_code: 30003, date_created: 'Mon, 05 Jan 2026 10:00:00 +0000' },
    ],
  ];
  const send = state().actions['Send SMS'];
  for (const [name, fate] of fates) {
    const to = `+1202555010${name.length}`;
    await send.run({ configuration: { from: '+14155550100', to, body: `Dear ${name}` } });
    // The formula's days are those of this machine.
    const created = { date_created: new Date().toUTCString() };
    Object.assign(host.sandbox.messages[0] ?? {}, created, fate);
  }
  const table = await createTable('Sent messages', 'Telephony: Account Messages', {
    which_columns: settings?.Columns?.toLowerCase(),
    key_to: settings?.['Match To with'],
  });
  const shown = [
    {
      type: 'JoinField',
      join_field: inlineCodeOf(section).find((code) => code.startsWith('toRow.')),
    },
    { type: 'Field', field_name: 'errorCode', fieldview: views?.['Error code'] },
  ];
  await createView('Not delivered', 'List', table, {
    columns: shown,
    layout: {
      list_columns: true,
      besides: shown.map(({ type, ...column }) => ({
        contents: { type: type === 'Field' ? 'field' : 'join_field', ...column },
      })),
    },
    default_state: { include_fml: formula.trim() },
  });
  const html: string = await model('view').findOne({ name: 'Not delivered' }).run({}, request);
  const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
  expect(cells).toEqual([
    'Edsger',
    expect.stringMatching(/queue was full.* \(30001\)$/),
    'Ada',
    expect.stringMatching(/^This number no longer exists .* \(30005\)$/),
  ]);
});

describe('with webhooks', () => {
  const number = '+14155550100';
  const caller = '+12025550143';
  let url: string;
  beforeAll(async () => {
    ({ url } = await startWebsite());
    await installPlugin(artefact, { ...host.settings, publicAddress: url });
  });
  beforeEach(() => {
    host.sandbox.reset();
    host.sandbox.messages.length = 0;
    const address = `${url}/telephony/events`;
    host.sandbox.events.numbers.set(number, { smsUrl: address, statusCallback: address });
  });
  afterEach(async () => {
    for (const trigger of model('trigger').find({})) await trigger.delete();
    await state().refresh_triggers();
  });

  async function write(body: string, from = caller) {
    host.sandbox.receiveMessage({ from, to: number, body });
    await host.sandbox.events.settled();
  }
  const replies = () =>
    host.sandbox.messages
      .filter(({ direction }) => direction === 'outbound-reply')
      .map(({ from, to, body }) => ({ from, to, body }));

  test('records messages of callers and lists them with players', async () => {
    const [greeting] = recipe('Voicemail');
    const [formula = ''] = snippetsOf(
      sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), 'Voicemail'),
      'js',
    );
    const table = await createTable('Voicemails', 'Telephony: Recordings by date');
    await createTrigger({
      ...{ name: 'voicemail', when_trigger: 'Call received', action: 'Reply: Record' },
      configuration: { say: greeting?.Greeting, maxLength: greeting?.['Time limit (seconds)'] },
    });
    const { calls, recordings } = await callIn(
      host.sandbox,
      `${url}/telephony/events`,
      ...[2, 4, 4],
    );
    expect([calls, recordings]).toEqual([
      [[incoming.from, incoming.to, 'completed', '8']],
      [['RecordVerb', 'completed', '4']],
    ]);
    const columns = ['startTime', 'duration', 'media'].map((field_name) => ({
      ...{ type: 'Field', field_name, fieldview: 'show' },
    }));
    const view = await createView('Voicemails', 'List', table, {
      ...{ columns, default_state: { include_fml: formula } },
    });
    const shown = await view.run({}, { req: request.req, res: request.res });
    const [recording] = host.sandbox.recordings;
    expect([...shown.matchAll(/src="([^"]+)"/g)].map(([, source]) => source)).toEqual([
      expect.stringContaining(`/telephony/media/Voicemails/${recording?.sid}`),
    ]);
  });

  /** What a field of a reply is called in a step. */
  const keys: Record<string, string> = {
    ...{ 'Only if': 'step_only_if', Question: 'say', Greeting: 'say', To: 'to' },
    ...{ Menu: 'menu', 'Number of keys': 'numDigits' },
  };

  /** Makes the triggers of a recipe for a menu, and returns its replies: the first to the call, the others to its answers. */
  async function makeMenu(heading: string) {
    const tables = recipe(heading);
    const section = sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), heading);
    const actions = [...section.matchAll(/action \*\*(Reply: \w+)\*\*/g)].map(([, name]) => name);
    const [first, ...steps] = actions.map((step_action_name, index) => ({
      step_action_name,
      ...Object.fromEntries(
        Object.entries(tables[index] ?? {}).map(([label, value]) => [keys[label], value]),
      ),
    }));
    await createTrigger({
      ...{ name: 'menu', when_trigger: 'Call received', action: first?.step_action_name },
      configuration: first,
    });
    await createTrigger({
      ...{ name: 'choice', when_trigger: 'Caller answered', action: 'Multi-step action' },
      configuration: { steps },
    });
    return tables;
  }
  const press = (keys: string[], ...seconds: number[]) =>
    callAndAnswer(host.sandbox, `${url}/telephony/events`, keys, ...seconds);
  const ended = [incoming.from, incoming.to, 'completed', expect.any(String)];

  test('forwards, records or asks again, by the key that a caller presses', async () => {
    const [menu, forward, record, again] = await makeMenu('Phone menu');
    expect(await press(['*', '1'], 2, 4)).toMatchObject({
      heard: [menu?.Question, again?.Question],
      created: { calls: [[incoming.from, forward?.To, 'completed', '4'], {}] },
    });
    expect(await press(['2'], 3, 4)).toMatchObject({
      heard: [menu?.Question, record?.Greeting],
      created: { recordings: [['RecordVerb', 'completed', '4']] },
    });
    expect(await press(['3', '', '3'])).toMatchObject({
      heard: [menu?.Question, again?.Question, again?.Question],
      created: { calls: [ended] },
    });
  });

  test('leads a caller through the levels of a menu, and back', async () => {
    const [main, sales, support, staff, record, back] = await makeMenu(
      'Phone menu with two levels',
    );
    const [first, second] = [main?.Question, support?.Question];
    const forwarded = (to?: string) => ({
      calls: [[incoming.from, to, 'completed', '4'], {}],
      recordings: [],
    });
    expect(back).toMatchObject({ Question: first, Menu: main?.Menu });
    const results: [keys: string[], heard: unknown[], created: object][] = [
      [['1'], [first], forwarded(sales?.To)],
      [['2', '1'], [first, second], forwarded(staff?.To)],
      [['2', '3', '1'], [first, second, first], forwarded(sales?.To)],
      [['7', '2', '', '2', '1'], [first, first, second, first, second], forwarded(staff?.To)],
    ];
    for (const [keys, heard, created] of results)
      expect({ keys, ...(await press(keys, 2, 4)) }).toMatchObject({ keys, heard, created });
    expect(await press(['2', '2'], 3, 4)).toMatchObject({
      heard: [first, second, record?.Greeting],
      created: { recordings: [['RecordVerb', 'completed', '4']] },
    });
    expect(await press(['2', '3', '2', '3', '2', '3'])).toMatchObject({
      heard: [first, second, first, second, first, second],
      created: { calls: [ended], recordings: [] },
    });
  });

  test('replies to each sender once an hour, and stores every SMS', async () => {
    const [reply, keep] = recipe('Answer an SMS');
    const page = readDocument('docs/builders/saltcorn-recipes.md');
    const [code] = snippetsOf(sectionOf(page, 'Answer an SMS'), 'js');
    const answered = await createNative('Answered', { sender: 'String', time: 'Date' });
    const inbox = await createNative('Inbox', { from: 'String', body: 'String' });
    await createTrigger({
      ...{ name: 'answer', when_trigger: 'SMS received', action: 'Multi-step action' },
      configuration: {
        steps: [
          { step_action_name: 'run_js_code', code, run_where: 'Server' },
          {
            step_action_name: 'Reply: SMS received',
            step_only_if: reply?.['Only if'],
            text: reply?.Text,
          },
        ],
      },
    });
    await createTrigger({
      ...{ name: 'keep', when_trigger: 'SMS received', action: 'insert_any_row' },
      configuration: { table: keep?.Table, row_expr: keep?.['Row expression'] },
    });
    const other = '+12025550144';
    const body = 'Thank you for your message. We answer today.';
    const to = (sender: string) => ({ from: number, to: sender, body });
    await write('Are you open?');
    await write('And on Sunday?');
    await write('Hello', other);
    expect(replies()).toEqual([to(other), to(caller)]);
    const { id } = await answered.getRow({ sender: caller });
    await answered.updateRow({ time: new Date(Date.now() - 60 * 60 * 1_000) }, id);
    await write('Still there?');
    expect(replies()).toEqual([to(caller), to(other), to(caller)]);
    expect(await answered.countRows({})).toBe(2);
    const kept = await inbox.getRows({}, { orderBy: 'id' });
    expect(kept.map((row: Loose) => [row.from, row.body])).toEqual([
      [caller, 'Are you open?'],
      [caller, 'And on Sunday?'],
      [other, 'Hello'],
      [caller, 'Still there?'],
    ]);
  });

  test('keeps who unsubscribed, and who subscribed again', async () => {
    const [mark] = recipe('Who unsubscribed');
    const columns = { phone: 'String', unsubscribed: 'Bool' };
    const table = await createNative('Subscribers', columns, [
      { phone: caller, unsubscribed: false },
      { phone: '+12025550144', unsubscribed: false },
    ]);
    await createTrigger({
      ...{ name: 'unsubscribed', when_trigger: 'SMS received', action: 'Multi-step action' },
      configuration: {
        steps: [
          {
            ...{ step_action_name: 'modify_row', step_only_if: mark?.['Only if'] },
            ...{ where: 'Database', select_table: table.name },
            ...{ query: mark?.['Query object'], row_expr: mark?.['Row expression'] },
          },
        ],
      },
    });
    const unsubscribed = async () =>
      (await table.getRows({}, { orderBy: 'id' })).map((row: Loose) => row.unsubscribed);
    const seen: boolean[][] = [];
    for (const body of ['Stop', 'HELP', 'Please start', ' START ']) {
      await write(body);
      seen.push(await unsubscribed());
    }
    expect(seen).toEqual([
      [true, false],
      [true, false],
      [true, false],
      [false, false],
    ]);
  });

  test('sends an SMS about a missed call and about no other call', async () => {
    const [step] = recipe('Tell me when a call was missed');
    await createTrigger({
      ...{ name: 'missed', when_trigger: 'Call status', action: 'Multi-step action' },
      configuration: {
        steps: [{ step_action_name: 'Send SMS', step_only_if: step?.['Only if'], ...send(step) }],
      },
    });
    for (const end of ['completed', 'no-answer', 'busy'] as const) {
      host.sandbox.receiveCall({ from: '+12025550199', to: number, end });
      host.sandbox.pass(60);
      await host.sandbox.events.settled();
    }
    const missed = {
      ...{ from: step?.From, to: step?.To },
      body: 'You missed a call from +12025550199.',
    };
    expect(sent().filter(({ to }) => to === step?.To)).toEqual([missed, missed]);
  });

  describe('a reply to an appointment', () => {
    const heading = 'Appointment confirmed by replying YES';
    const [fields = {}] = recipe(heading);
    const [answers = ''] = snippetsOf(
      sectionOf(readDocument('docs/builders/saltcorn-recipes.md'), heading),
      'text',
    );
    const configuration = {
      ...{ rows_table: fields['Rows of'], rows_number: fields['Number column'] },
      ...{ rows_set: fields['Set column'], rows_answers: answers },
      ...{ rows_other_reply: fields['Other reply'], rows_where: fields['Only where'] },
    };
    const day = 86_400_000;
    let visits: Loose;
    beforeAll(async () => {
      const patients = await createNative('Patients', { name: 'String', phone: 'String' }, [
        { name: 'Ada', phone: '(202) 555-0143' },
        { name: 'Bob', phone: '+12025550144' },
      ]);
      const [ada, bob] = await patients.getRows({}, { orderBy: 'id' });
      const columns = { patient: 'Key to Patients', time: 'Date', confirmed: 'Bool' };
      const table = findTable('Appointments') ?? (await createNative('Appointments', {}));
      for (const [name, type] of Object.entries(columns))
        if (!table.getField(name)) await model('field').create({ table, name, label: name, type });
      await state().refresh_tables();
      visits = findTable('Appointments');
      for (const [patient, days] of [
        [ada.id, -1],
        [ada.id, 1],
        [ada.id, 2],
        [ada.id, -2],
        [bob.id, 1],
      ])
        await visits.insertRow({ patient, time: new Date(Date.now() + days * day) });
    });
    beforeEach(() =>
      installPlugin(artefact, { ...host.settings, defaultCountry: 'US', publicAddress: url }),
    );

    const confirmed = async () =>
      (await visits.getRows({ not: { patient: null } }, { orderBy: 'id' })).map(
        (row: Loose) => row.confirmed,
      );
    const texts = () =>
      replies()
        .map(({ to, body }) => [to, body])
        .reverse();
    const again = [caller, fields['Other reply']];

    test.each<[body: string, set: unknown, replied: unknown[], from: string]>([
      ['Perhaps', null, again, caller],
      [' yes, please! ', true, [caller, 'Thank you, Ada, see you then.'], caller],
      ['No. Yes!', true, again, caller],
      ['no', false, [caller, 'We have cancelled your appointment.'], caller],
      ['YES', false, [], '+12025550199'],
    ])('“%s” sets %j', async (body, set, replied, from) => {
      await createTrigger({
        ...{ name: 'confirmed', when_trigger: 'SMS received', configuration },
        action: 'Update a row: SMS received',
      });
      await write(body, from);
      expect({ confirmed: await confirmed(), texts: texts() }).toEqual({
        ...{ confirmed: [null, null, set, null, null] },
        texts: replied.length > 0 ? [replied] : [],
      });
    });

    test('sets the row that is the latest by a column', async () => {
      await createTrigger({
        ...{ name: 'confirmed', when_trigger: 'SMS received' },
        action: 'Update a row: SMS received',
        configuration: {
          ...configuration,
          rows_where: '',
          rows_latest: 'time',
          rows_other: 'true',
        },
      });
      const [first] = await visits.getRows({ not: { patient: null } }, { orderBy: 'id' });
      await visits.updateRow({ time: new Date(Date.now() + 9 * day) }, first.id);
      await write('Perhaps');
      expect(await confirmed()).toEqual([true, null, false, null, null]);
    });
  });
});
