import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { admin } from '../saltcorn-server.ts';
import { startTwoWorkers } from './two-workers.ts';
import type { Visitor } from './visitor.ts';

const people = Array.from({ length: 9 }, (_, index) => ({
  name: `P${index}`,
  phone: `+1202555010${index}`,
}));

const forEachRow = (table: string, where: string, body: string) => ({
  ...{ rows_table: table, rows_of_page: false, rows_limit: 100, rows_where: where },
  ...{ rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_time' },
  ...{ from: '+14155550100', to: '{{ phone }}', body },
});

const trigger = (name: string, when: string, table: string, configuration: object) => ({
  ...{ name, description: '', action: 'Send SMS for each row', min_role: 1 },
  ...{ when_trigger: when, table_name: table, configuration },
});

const workflow = {
  ...trigger('in_a_workflow', 'Insert', 'Visits', {}),
  action: 'Workflow',
  steps: [
    {
      ...{ name: 'text', next_step: '', action_name: 'Send SMS for each row' },
      ...{ initial_step: true, configuration: forEachRow('Visits', '', 'Welcome') },
    },
  ],
};

const table = (name: string, ...columns: string[]) => ({
  ...{ name, min_role_read: 1, min_role_write: 1 },
  fields: [
    ...columns.map((column) => ({ name: column, label: column, type: 'String' })),
    { name: 'sms_time', label: 'sms_time', type: 'Date' },
  ],
});
const outcomeColumns = ['name', 'phone', 'sms', 'sms_sid'];

const pack = {
  tables: [
    table('Customers', ...outcomeColumns),
    table('Orders', 'item'),
    table('Guests', ...outcomeColumns),
    table('Visits', ...outcomeColumns),
  ],
  triggers: [
    trigger('ordered', 'Insert', 'Orders', forEachRow('Customers', '', 'Dear {{ name }}')),
    trigger('came', 'Insert', 'Guests', forEachRow('Guests', '', 'Welcome')),
    trigger('changed', 'Update', 'Guests', forEachRow('Guests', '', 'Changed')),
    workflow,
  ],
  ...{ pages: [], views: [], plugins: [], roles: [], library: [], tags: [], models: [] },
  ...{ model_instances: [], event_logs: [], page_groups: [], code_pages: [] },
};

describe('triggers on PostgreSQL that text each row and store the outcome in it', () => {
  let sandbox: Sandbox;
  let boss: Visitor;
  let worker: number;

  beforeAll(async () => {
    sandbox = await openSandbox();
    const started = await startTwoWorkers(sandbox, { pack, customers: people });
    ({ boss } = started);
    [worker] = started.workers;
    await boss.post(worker, '/auth/login', admin);
  });
  beforeEach(() => {
    sandbox.messages.length = 0;
    sandbox.faults.clear();
  });

  async function rowsOf(name: string): Promise<Record<string, string>[]> {
    return JSON.parse((await boss.get(worker, `/api/${name}`)).text).success;
  }

  /** Waits until no batch is running, and returns the recipients. */
  async function texted(name: string): Promise<string[]> {
    const isOver = ({ sms }: Record<string, string>) => sms === 'sent';
    await until(async () => (await rowsOf(name)).every(isOver));
    return sandbox.messages.map(({ to }) => to).sort();
  }

  test('answers 20 forms at once, and texts each customer once', async () => {
    sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 400, times: people.length });
    const orders = Array.from({ length: 20 }, (_, index) => ({ item: `Order ${index}` }));
    // Saltcorn refuses a form if another page of the session has changed its token.
    async function submit(order: { item: string }): Promise<number> {
      const { status } = await boss.post(worker, '/api/Orders', order);
      return status === 302 ? submit(order) : status;
    }
    expect(await Promise.all(orders.map(submit))).toEqual(orders.map(() => 200));
    expect(await texted('Customers')).toEqual(people.map(({ phone }) => phone));
    expect(await rowsOf('Orders')).toHaveLength(orders.length);
    expect((await rowsOf('Customers')).map(({ sms }) => sms)).toEqual(people.map(() => 'sent'));
  });

  test('texts the row that was just inserted', async () => {
    await boss.post(worker, '/api/Guests', { name: 'Ann', phone: '+12025550143' });
    expect(await texted('Guests')).toEqual(['+12025550143']);
    expect(await rowsOf('Guests')).toMatchObject([
      { name: 'Ann', sms: 'sent', sms_sid: sandbox.messages[0]?.sid },
    ]);
  });

  test('texts the row that was just changed', async () => {
    const [ann] = await rowsOf('Guests');
    await boss.post(worker, `/api/Guests/${ann?.id}`, { name: 'Anna', sms: '' });
    await until(() => sandbox.messages.length > 0);
    expect(await texted('Guests')).toEqual(['+12025550143']);
  });

  test('reports that a workflow’s row is not saved yet, and what to do', async () => {
    await boss.post(worker, '/api/Visits', { name: 'Bob', phone: '+12025550144' });
    const { text } = await boss.get(worker, '/crashlog/1');
    expect(sandbox.messages).toEqual([]);
    expect(text).toContain('add the step “WaitNextTick” before this one');
  });
});
