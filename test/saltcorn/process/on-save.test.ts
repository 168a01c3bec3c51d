import { createAdministrator, createNative, createTrigger, findTable } from '../app.ts';
import { type Loose, model, startSaltcorn, state } from '../host.ts';
import { startWebsite, type Visitor } from '../website.ts';

// What Saltcorn checks when someone saves the form of a trigger or of a workflow step.

let admin: Visitor;
let user: Loose;

beforeAll(async () => {
  await startSaltcorn();
  user = await createAdministrator();
  await createNative('People', { name: 'String', phone: 'String' });
  admin = await (await startWebsite()).user();
});

const sms = { from: '+14155550100', to: '{{ phone }}', body: 'Hello, {{ name }}!' };
const ask = { say: 'Press 1.', language: '', menu: '' };
const yes = { rows_table: 'People', rows_number: 'phone', rows_set: 'name', rows_answers: 'YES=1' };
const rows = { ...sms, rows_table: 'People', rows_limit: 5 };

const unreadable = (code: string, label: string, reason: string) =>
  `{{ ${code} }} in "${label}" is not a valid formula: ${reason}`;
const endsEarly = "Unexpected token ')'";
const noFormula = `“Only where” is invalid, so nothing was done: ${endsEarly}. Write it as in a list, such as status === "busy", or as { status: "busy" }.`;
const noCountry =
  '"To" is (202) 555-0143, which has no country code. Enter it with its country code, such as +12025550143, or check "Default country" in the module\'s settings.';

type Case = [action: string, fields: object, changes: Record<string, string>, problem: string];

const alsoWhenRun: Case[] = [
  ['Send SMS', sms, { to: '(202) 555-0143' }, noCountry],
  ['Send SMS', sms, { body: 'Hi {{ name + }}' }, unreadable('name +', 'Body', endsEarly)],
  [
    ...(['Send SMS', sms, { body: '{{ name }} {{ <b }}' }] as const),
    unreadable('‹b', 'Body', "Unexpected token '‹'"),
  ],
  [
    ...(['Send SMS', sms, { body: 'x'.repeat(1601) }] as const),
    '"Body" must be text of at most 1,600 characters.',
  ],
  ['Send SMS for each row', rows, { rows_where: 'name ===' }, noFormula],
  [
    'Reply: Ask',
    ask,
    { say: '{{ a b }}' },
    unreadable('a b', 'Question', "Unexpected identifier 'b'"),
  ],
  [
    ...(['Update a row: SMS received', yes, { rows_answers: 'YES' }] as const),
    'The line “YES” is no answer, or repeats one. Write each as YES, OK = true = Thank you.: what someone writes, the value to record, and the reply.',
  ],
];
/** Running fails with these only if an event waits for the reply. */
const refused: Case[] = [
  ...alsoWhenRun,
  ['Reply: Ask', ask, { menu: 'x'.repeat(65) }, '"Menu" must be text of at most 64 characters.'],
  [
    ...(['Update a row: SMS received', yes, { rows_answers: 'YES=1={{ name + }}' }] as const),
    unreadable('name +', 'Text', endsEarly),
  ],
  [
    ...(['Update a row: SMS received', yes, { rows_other_reply: '{{ name + }}' }] as const),
    unreadable('name +', 'Text', endsEarly),
  ],
  ['Update a row: SMS received', yes, { rows_where: 'name ===' }, noFormula],
];

/** Only a row decides, or the value can be left out. */
const accepted: [action: string, fields: object, changes: Record<string, string>][] = [
  ['Send SMS', sms, { from: '', body: '{{ nmae }}' }],
  ['Send SMS', sms, { to: '{{ phone }}{{ "" }}', body: '{{ name || "" }}\r\n{{ ({ a: 1 }).a }}' }],
  ['Reply: Ask', ask, { menu: 'x'.repeat(64) }],
  ['Send SMS for each row', rows, { rows_where: '{ name: "Ada" }' }],
  ['Update a row: SMS received', yes, { rows_where: 'name === "Ada"', rows_other_reply: 'Sorry.' }],
];

/** Saves changed fields of an action in a trigger and in a workflow step. */
async function save(action: string, fields: object, changes: object) {
  const table_id = findTable('People').id;
  const trigger = await createTrigger({
    ...{ name: 'one', when_trigger: 'Insert', table_id, action, configuration: fields },
  });
  const flow = await createTrigger({
    ...{ name: 'flow', when_trigger: 'Never', action: 'Workflow', configuration: {} },
  });
  const step = { wf_step_name: 'step', wf_action_name: action, wf_initial_step: 'on' };
  const body = { ...fields, ...changes };
  const answers = [
    await admin.post(`/actions/configure/${trigger.id}`, body),
    await admin.post(`/actions/stepedit/${flow.id}`, { ...step, ...body }),
  ];
  const stored = [
    (await model('trigger').findOne({ id: trigger.id })).configuration,
    (await model('workflow_step').findOne({ trigger_id: flow.id }))?.configuration,
  ];
  for (const one of [trigger, flow]) await one.delete();
  return { answers, stored };
}

const shortly = <Row extends [string, object, object, ...unknown[]]>(cases: Row[]) =>
  cases.map((row) => [row[0], JSON.stringify(row[2]).slice(0, 50), row] as const);

test.each(shortly(refused))('%s with %s is not saved', async (_action, _changes, row) => {
  const [action, fields, changes, problem] = row;
  const { answers, stored } = await save(action, fields, changes);
  // Before the sentence, Saltcorn writes a label.
  const said = answers.map(({ error }) => error?.replace(/^[\w ]+: /, ''));
  expect(said).toEqual([problem, problem]);
  expect(stored).toEqual([fields, undefined]);
});

test.each(shortly(alsoWhenRun))(
  '%s with %s fails with the same',
  async (_action, _changes, row) => {
    const [action, fields, changes, problem] = row;
    const configuration = { ...fields, ...changes, rows_of_page: false };
    const run = {
      configuration,
      table: findTable('People'),
      row: { name: 'Ada', phone: '+12025550143' },
      user,
    };
    await expect(state().actions[action].run(run)).rejects.toThrow(
      new Error(`${action}: ${problem}`),
    );
  },
);

test.each(shortly(accepted))('%s with %s is saved', async (_action, _changes, row) => {
  const [action, fields, changes] = row;
  const { answers, stored } = await save(action, fields, changes);
  expect(answers).toMatchObject([{ success: 'ok' }, { success: 'ok' }]);
  const given = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== '');
  for (const one of stored) expect(one).toMatchObject(Object.fromEntries(given));
});
