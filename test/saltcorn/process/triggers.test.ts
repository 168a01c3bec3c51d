import {
  createAdministrator,
  createNative,
  createTrigger,
  findTable,
  loadedTrigger,
} from '../app.ts';
import { type Host, type Loose, model, startSaltcorn } from '../host.ts';

let host: Host;
// Saltcorn does no step of a workflow without one.
let user: Loose;
const sms = { from: '+14155550100', to: '{{ phone }}', body: 'See you at {{ time }}, {{ name }}!' };
const table = () => findTable('Appointments');

beforeAll(async () => {
  host = await startSaltcorn();
  user = await createAdministrator();
  const columns = { name: 'String', phone: 'String', time: 'String', sent: 'String' };
  await createNative('Appointments', columns);
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

const ada = { name: 'Ada', phone: '+12025550101', time: '10:30' };
const texts = () => host.sandbox.messages.map(({ to, body }) => [to, body]);

async function withTrigger(trigger: object, work: (trigger: Loose) => Promise<void>) {
  const made = await createTrigger({ table_id: table().id, ...trigger });
  try {
    await work(made);
  } finally {
    await made.delete();
  }
}

test('inserting a row sends a reminder', () =>
  withTrigger(
    { name: 'remind', action: 'Send SMS', when_trigger: 'Insert', configuration: sms },
    async () => {
      await table().insertRow(ada);
      expect(texts()).toEqual([['+12025550101', 'See you at 10:30, Ada!']]);
    },
  ));

test('a multi-step action runs its steps in order', () => {
  const steps = [
    { step_action_name: 'Send SMS', ...sms },
    { step_action_name: 'Send SMS', ...sms, body: 'Bring your papers.' },
  ];
  return withTrigger(
    { name: 'twice', action: 'Multi-step action', when_trigger: 'Never', configuration: { steps } },
    async () => {
      await loadedTrigger('twice').runWithoutRow({ row: ada });
      expect(texts().map(([, body]) => body)).toEqual([
        'Bring your papers.',
        'See you at 10:30, Ada!',
      ]);
    },
  );
});

async function addSteps(trigger: Loose, steps: [name: string, action: string, rest: object][]) {
  for (const [index, [name, action_name, rest]] of steps.entries())
    await model('workflow_step').create({
      trigger_id: trigger.id,
      name,
      action_name,
      initial_step: index === 0,
      next_step: steps[index + 1]?.[0] ?? '',
      ...rest,
    });
}

test('a workflow step can use the message that an earlier step sent', () =>
  withTrigger(
    { name: 'book', action: 'Workflow', when_trigger: 'Never', configuration: {} },
    async (trigger) => {
      await addSteps(trigger, [
        ['send', 'Send SMS', { configuration: sms }],
        [
          'note',
          'SetContext',
          { configuration: { ctx_values: '{ note: message.status + " to " + message.to }' } },
        ],
        ['again', 'Send SMS', { configuration: { ...sms, body: 'Was {{ note }}.' } }],
      ]);
      await trigger.runWithoutRow({ row: ada, user });
      expect(texts().map(([, body]) => body)).toEqual([
        'Was queued to +12025550101.',
        'See you at 10:30, Ada!',
      ]);
    },
  ));

test("a workflow's error handler takes over when a step fails", () =>
  withTrigger(
    { name: 'careful', action: 'Workflow', when_trigger: 'Never', configuration: {} },
    async (trigger) => {
      await addSteps(trigger, [
        ['guard', 'SetErrorHandler', { configuration: { error_handling_step: 'sorry' } }],
        ['send', 'Send SMS', { configuration: { ...sms, to: 'nobody' }, next_step: '' }],
        ['sorry', 'Send SMS', { configuration: { ...sms, body: 'Number {{ phone }} it is.' } }],
      ]);
      await trigger.runWithoutRow({ row: ada, user });
      expect(texts()).toEqual([['+12025550101', 'Number +12025550101 it is.']]);
    },
  ));
