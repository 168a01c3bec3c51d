import { until } from '../../support/until.ts';
import {
  button,
  createButtons,
  createNative,
  createPage,
  createTrigger,
  forEveryone,
} from '../app.ts';
import { artefact, type Host, installPlugin, type Loose, model, startSaltcorn } from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { press } from './press.ts';

// Appointments refer to patients, and these to doctors, as tables of an app usually do.

let host: Host;
let website: Website;
let boss: Visitor;
let patients: Loose;
let appointments: Loose;

// In whole seconds, as the service has them.
const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + 10 * 86_400_000);
const from = '+14155550100';
const text = '{{ patient.name }}, {{ patient.doctor.name }} sees you: {{ reason }}.';
const sms = { from, to: '{{ patient.phone }}', body: text };
const each = { ...sms, body: `Reminder: ${text}`, rows_table: 'Appointments', rows_of_page: false };

/** Formulas that select rows by columns of other tables, and the names of the patients. */
const selections: [formula: string, names: string[]][] = [
  ['patient.consent === true', ['Ada', 'Cleo']],
  ['patient.consent', ['Ada', 'Cleo']],
  ['!patient.consent', ['Bob']],
  ['patient.consent && patient.name !== "Ada"', ['Cleo']],
  ['patient.doctor.name === "Dr. Who"', ['Ada', 'Bob']],
  ['patient.doctor.name', ['Ada', 'Bob']],
  ['patient.doctor === null', ['Cleo']],
];

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  boss = await website.user();
  const cities = await createNative('Cities', { name: 'String' }, [{ name: 'Rome' }]);
  const city = (await cities.getRow({})).id;
  const doctors = await createNative(
    'Doctors',
    { name: 'String', due: 'Date', city: 'Key to Cities' },
    [{ name: 'Dr. Who', due, city }],
  );
  const doctor = (await doctors.getRow({})).id;
  const patient = { name: 'String', phone: 'String', consent: 'Bool' };
  patients = await createNative('Patients', { ...patient, doctor: 'Key to Doctors' }, [
    { name: 'Ada', phone: '+12025550101', consent: true, doctor },
    { name: 'Bob', phone: '+12025550102', consent: false, doctor },
    { name: 'Cleo', phone: '+12025550103', consent: true, doctor: null },
    { name: 'Dan', phone: null, consent: true, doctor },
  ]);
  const ids = Object.fromEntries(
    (await patients.getRows({})).map(({ name, id }: Loose) => [name, id]),
  );
  appointments = await createNative(
    'Appointments',
    { reason: 'String', joined: 'String', patient: 'Key to Patients', boss: 'Key to users' },
    ['Ada', 'Bob', 'Cleo', 'Dan', undefined].map((name) => ({
      reason: `${name}'s check-up`,
      // Saltcorn spreads a trigger's row over an action's arguments.
      joined: '{"patient":{"key":1,"columns":{"phone":"+12025550199"},"rows":{}}}',
      patient: name === undefined ? null : ids[name],
      boss: 1,
    })),
    forEveryone,
  );
  await createButtons('buttons', 'Show', appointments, [
    button('send', 'Send SMS', sms),
    button('only if', 'Send SMS', { ...sms, rows_if: 'patient.consent' }),
    button('unknown', 'Send SMS', { ...sms, body: '{{ "Dear " + patient.nam }}' }),
    button('deep', 'Send SMS', { ...sms, body: 'See you in {{ patient.doctor.city.name }}' }),
    button('password', 'Send SMS', {
      ...{ ...sms, body: 'Secret: {{ boss["password"] + ", " + boss.email }}' },
      // A value that is no field of the action.
      more: '{{ boss.password }}',
    }),
    button('key', 'Send SMS', { ...sms, body: '{{ patient }}: {{ patient?.name || "" }}' }),
    button('no key', 'Send SMS', {
      ...{ from, to: '+12025550104', body: '{{ patient ? patient.name : "No one" }}' },
    }),
    button('later', 'Send a Message', {
      ...{ ...sms, body: 'Hi', from: '', messagingServiceSid: `MG${'0'.repeat(32)}` },
      scheduleType: 'fixed',
      sendAt: '{{ patient.doctor.due }}',
    }),
  ]);
  await createPage(
    'page',
    button('each', 'Send SMS for each row', each),
    ...selections.map(([formula], index) =>
      button(`selects ${index}`, 'Send SMS for each row', {
        ...{ ...each, rows_where: formula, body: `{{ patient?.name || "no one" }}, ${index}` },
        to: '{{ patient?.phone || "" }}',
      }),
    ),
    button('misspelt', 'Send SMS for each row', {
      ...{ ...each, rows_where: 'patient.consnt === true' },
    }),
    button('consent', 'Send SMS for each row', {
      ...{ ...each, rows_where: 'patient.consent === true', body: 'Hi {{ patient.name }}' },
    }),
  );
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

const sent = () => host.sandbox.messages.map(({ to, body }: Loose) => [to, body]).sort();

async function click(rndid: string, reason: string, user = boss): Promise<string> {
  const { id } = await appointments.getRow({ reason });
  const answer = await user.post('/view/buttons/run_action', { rndid, id });
  return answer.notify ?? answer.notify_success;
}

/** What a button does: the row, and what is sent or the reason why not. */
const clicks: [name: string, reason: string, outcome: [to: string, body: string] | string][] = [
  ['send', "Ada's check-up", ['+12025550101', "Ada, Dr. Who sees you: Ada's check-up."]],
  [
    'send',
    "Cleo's check-up",
    '{{ patient.doctor.name }} in "Body" has no value: “patient.doctor” is empty. You can add a default: {{ patient.doctor?.name || "" }}.',
  ],
  [
    'send',
    "Dan's check-up",
    '"To" is missing: the recipient\'s number with country code, such as +12025550143, or whatsapp:+12025550143 for WhatsApp.',
  ],
  [
    'send',
    "undefined's check-up",
    '{{ patient.phone }} in "To" has no value: “patient” is empty. You can add a default: {{ patient?.phone || "" }}.',
  ],
  [
    'only if',
    "undefined's check-up",
    "Send SMS: “Only if” isn't true for this row. Nothing was sent.",
  ],
  [
    'unknown',
    "Ada's check-up",
    '{{ "Dear " + patient.nam }} in "Body" has no value: “Patients” has no column “nam”.',
  ],
  [
    'deep',
    "Cleo's check-up",
    '{{ patient.doctor.city.name }} in "Body" has no value: “patient.doctor” is empty. You can add a default: {{ patient.doctor?.city.name || "" }}.',
  ],
  ['deep', "Ada's check-up", ['+12025550101', 'See you in Rome']],
  ['password', "Ada's check-up", ['+12025550101', 'Secret: undefined, user1@example.com']],
  ['key', "Bob's check-up", ['+12025550102', '2: Bob']],
  ['no key', "undefined's check-up", ['+12025550104', 'No one']],
];
test.each(clicks)('the button “%s” with the row “%s”', async (name, reason, outcome) => {
  const said = await click(name, reason);
  const isSent = typeof outcome !== 'string';
  expect({ said: isSent || said, sent: sent() }).toEqual({
    ...{ said: isSent || outcome, sent: isSent ? [outcome] : [] },
  });
});

test('a date of another table is a time to send at', async () => {
  host.sandbox.requests.length = 0;
  expect(await click('later', "Ada's check-up")).toContain('scheduled');
  const [{ body = '' } = {}] = host.sandbox.requests.filter(({ method }) => method === 'POST');
  expect(new Date(new URLSearchParams(body).get('SendAt') ?? '')).toEqual(due);
});

async function textEach(name: string): Promise<string> {
  await boss.get('/page/page');
  const { popup } = await press(boss, `/page/page/action/${name}`);
  const preview: string = await boss.get(`${popup}/part`);
  await boss.post(`${popup}/start`, {});
  await until(async () => !(await boss.get(`${popup}/part`)).includes('<progress'));
  return preview;
}

test('a batch inserts them for each row, and says which rows lack them', async () => {
  const preview = await textEach('each');
  expect(preview).toContain('“patient.doctor” is empty');
  expect(sent()).toEqual([
    ['+12025550101', "Reminder: Ada, Dr. Who sees you: Ada's check-up."],
    ['+12025550102', "Reminder: Bob, Dr. Who sees you: Bob's check-up."],
  ]);
});

test.each(selections)('a batch is for rows that “%s” selects', async (formula, names) => {
  const index = selections.findIndex(([one]) => one === formula);
  await boss.get('/page/page');
  const { popup, notify } = await press(boss, `/page/page/action/selects ${index}`);
  expect(notify).toBe(undefined);
  await boss.post(`${popup}/start`, {});
  await until(async () => !(await boss.get(`${popup}/part`)).includes('<progress'));
  expect(sent().map(([, body]) => body)).toEqual(names.map((name) => `${name}, ${index}`));
});

test('a column that another table lacks selects no rows', async () => {
  const { notify } = await press(boss, '/page/page/action/misspelt');
  expect(notify).toContain('“Patients” has no column “consnt”.');
});

test("a trigger inserts them, whatever the row's own columns contain", async () => {
  const trigger = await createTrigger({
    ...{ table_id: appointments.id, name: 'remind', action: 'Send SMS' },
    ...{ when_trigger: 'Insert', configuration: { ...sms, body: 'Hi {{ patient.name }}' } },
  });
  const { patient, joined } = await appointments.getRow({ reason: "Bob's check-up" });
  await appointments.insertRow({ reason: 'again', joined, patient });
  await until(async () => sent().length > 0);
  expect(sent()).toEqual([['+12025550102', 'Hi Bob']]);
  await trigger.delete();
});

test('a workflow inserts them, but not over what an earlier step has read', async () => {
  const step = (name: string, next: string, action_name: string, configuration: object) => ({
    ...{ name, next_step: next, action_name, initial_step: name === 'send', configuration },
  });
  const trigger = await createTrigger({
    ...{ table_id: appointments.id, name: 'workflow', action: 'Workflow' },
    ...{ when_trigger: 'Insert', configuration: {} },
  });
  const steps = [
    step('send', 'read', 'Send SMS', { ...sms, body: 'Hi {{ patient.name }}' }),
    step('read', 'again', 'SetContext', { ctx_values: '{ patient: { name: "you" } }' }),
    step('again', '', 'Send SMS', { ...sms, to: '+12025550104', body: 'Hi {{ patient.name }}' }),
  ];
  for (const one of steps)
    await model('workflow_step').create({ ...one, trigger_id: trigger.id, only_if: '' });
  const { patient } = await appointments.getRow({ reason: "Bob's check-up" });
  await appointments.insertRow(
    { reason: 'workflow', patient },
    await model('user').findOne({ id: 1 }),
  );
  await until(async () => sent().length > 1);
  expect(sent()).toEqual([
    ['+12025550102', 'Hi Bob'],
    ['+12025550104', 'Hi you'],
  ]);
  await trigger.delete();
});

const notRead = '“Patients” has no row to which “patient” refers, or you may not read it';

test('a button inserts only columns of rows that its user may read', async () => {
  const staff = await website.user(80);
  await installPlugin(artefact, { ...host.settings, minimumRole: '80' });
  await patients.update({ min_role_read: 1 });
  expect(await click('key', "Ada's check-up", staff)).toContain(notRead);
  await staff.get('/page/page');
  const { popup, notify } = await press(staff, '/page/page/action/each');
  expect(popup ?? notify).toContain(notRead);
  expect(sent()).toEqual([]);
  await patients.update({ min_role_read: 100 });
  expect(await click('key', "Ada's check-up", staff)).not.toContain(notRead);
  expect(sent()).toEqual([['+12025550101', '1: Ada']]);
});
