import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { createNative, createTrigger } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
} from '../host.ts';

let host: Host;
let proxy: ReverseProxy;
const user = { id: 1, role_id: 1 };

beforeAll(async () => {
  host = await startSaltcorn();
  proxy = await proxyTo(host.sandbox.url);
  await installPlugin(artefact, { ...host.settings, baseUrl: proxy.url });
  const people = ['+12025550101', '+12025550102'].map((phone) => ({ phone }));
  await createNative('People', { phone: 'String' }, people);
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

const sms = { from: '+14155550100', to: '{{ to }}', body: 'Hello {{ to }}' };
const each = { rows_table: 'People', ...sms, to: '{{ phone }}', body: 'Hello' };

let workflows = 0;

/** Creates a workflow of steps, which follow each other unless they name their next ones. */
async function createWorkflow(...steps: Loose[]): Promise<Loose> {
  workflows += 1;
  const workflow = await createTrigger({
    ...{ name: `workflow ${workflows}`, when_trigger: 'Never', action: 'Workflow' },
    configuration: {},
  });
  for (const [index, step] of steps.entries())
    await model('workflow_step').create({
      ...{ trigger_id: workflow.id, initial_step: index === 0, configuration: {} },
      ...{ next_step: steps[index + 1]?.name, ...step },
    });
  return workflow;
}

const start = (workflow: Loose, context: object = { to: '+12025550143' }): Promise<Loose> =>
  model('workflow_run').create({ trigger_id: workflow.id, context });

/** Runs a workflow on, in what Saltcorn stored of its run. */
async function runOn({ id }: Loose): Promise<Loose> {
  const run = await model('workflow_run').findOne({ id });
  await run.run({ user });
  return run;
}

const database = () => saltcorn('data/db');

/**
 * Runs a workflow on, as if Saltcorn crashed before it stored the result of the step that sent a message, and started again.
 *
 * @param count which message
 */
async function crashAfter(run: Loose, count: number) {
  let stored: Loose;
  let sent = 0;
  const { handler } = proxy;
  proxy.handler = async (_from, _to, forward) => {
    sent += 1;
    if (sent === count) stored = await storedRun(run);
    forward();
  };
  await runOn(run);
  proxy.handler = handler;
  const { status, current_step, context } = stored;
  await database().query(
    'update _sc_workflow_runs set status = ?, current_step = ?, context = ? where id = ?',
    [status, current_step, context, run.id],
  );
}

async function storedRun({ id }: Loose): Promise<Loose> {
  const { rows } = await database().query('select * from _sc_workflow_runs where id = ?', [id]);
  return rows[0];
}

const sent = () => host.sandbox.messages.map(({ to }) => to).sort();
const contextOf = async (run: Loose) => JSON.parse((await storedRun(run)).context);

const step = (name: string, action_name: string, configuration: object, rest: object = {}) => ({
  ...{ name, action_name, configuration, ...rest },
});

test('a step that Saltcorn repeats sends once, and later steps get its record', async () => {
  const run = await start(await createWorkflow(step('sms', 'Send SMS', sms)));
  await crashAfter(run, 1);
  expect(await contextOf(run)).toEqual({ to: '+12025550143' });
  await runOn(run);
  expect(sent()).toEqual(['+12025550143']);
  const [{ sid } = {}] = host.sandbox.messages;
  expect(await contextOf(run)).toMatchObject({ message: { sid } });
});

test('a step that runs a trigger by name sends once', async () => {
  await createTrigger({
    ...{ name: 'remind', when_trigger: 'Never', action: 'Send SMS', configuration: sms },
  });
  const run = await start(await createWorkflow(step('sms', 'remind', {})));
  await crashAfter(run, 1);
  await runOn(run);
  expect(sent()).toHaveLength(1);
});

test('a step for each row of a table sends once', async () => {
  const workflow = await createWorkflow(step('each', 'Send SMS for each row', each));
  const run = await start(workflow);
  await crashAfter(run, 2);
  await runOn(run);
  expect(sent()).toHaveLength(2);
  expect(await contextOf(run)).toMatchObject({ done: 2, messages: [{}, {}] });
});

test('each turn of a loop sends, even the same, and once', async () => {
  const loop = {
    ...{ array_expression: 'people', item_variable: 'to', loop_body_initial_step: 'sms' },
  };
  const workflow = await createWorkflow(
    step('loop', 'ForLoop', loop, { next_step: '' }),
    step('sms', 'Send SMS', sms, { next_step: '' }),
  );
  const people = ['+12025550101', '+12025550102', '+12025550102'];
  const run = await start(workflow, { people });
  await crashAfter(run, 2);
  await runOn(run);
  expect(sent()).toEqual(people);
});

test('a step in a circle sends each time', async () => {
  const again = 'typeof isSecond === "undefined" ? "again" : ""';
  const workflow = await createWorkflow(
    step('sms', 'Send SMS', sms, { next_step: again }),
    step('again', 'SetContext', { ctx_values: '{ isSecond: true }' }, { next_step: 'sms' }),
  );
  await runOn(await start(workflow));
  expect(sent()).toHaveLength(2);
});

test('runs with equal values each send', async () => {
  const workflow = await createWorkflow(step('sms', 'Send SMS', sms));
  const runs = [await start(workflow), await start(workflow), await start(workflow)];
  await Promise.all(runs.map(runOn));
  expect(sent()).toHaveLength(3);
});
