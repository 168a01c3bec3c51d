import { connect } from '../../../src/builder.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { admin, type SaltcornServer } from '../saltcorn-server.ts';
import { startTwoWorkers } from './two-workers.ts';
import type { Visitor } from './visitor.ts';

const people = Array.from({ length: 24 }, (_, index) => ({
  name: `P${index}`,
  phone: `+12025550${100 + index}`,
}));

/** A button that texts all customers, and records the outcomes in columns with a name. */
const button = (column: string, limit: number) => ({
  ...{
    type: 'action',
    rndid: `${column}${limit}`,
    action_name: 'Send SMS for each row',
    minRole: 1,
  },
  configuration: {
    ...{ rows_table: 'Customers', rows_of_page: false, rows_limit: limit },
    ...{ rows_outcome: column, rows_sid: `${column}_sid`, rows_time: `${column}_time` },
    ...{ from: '+14155550100', to: '{{ phone }}', body: `Dear {{ name }}, ${column}` },
  },
});

/** A button that changes a row, and a trigger that texts the changed customer, in one step. */
const rename = {
  ...{ type: 'action', rndid: 'rename', action_name: 'run_js_code', minRole: 1 },
  configuration: {
    run_where: 'Server',
    code: `const people = Table.findOne('Customers');
      const { id } = await people.getRow({ name: 'Changed' });
      await people.updateRow({ name: 'Renamed' }, id);`,
  },
};
const onChange = {
  ...{ name: 'changed', description: '', action: 'Send SMS for each row', min_role: 1 },
  ...{ when_trigger: 'Update', table_name: 'Customers' },
  configuration: {
    ...button('once', 100).configuration,
    ...{ body: 'Hello', rows_where: 'name === "Renamed" || name === "Changed"' },
  },
};

const types = (column: string) => [
  { name: column, type: 'String' },
  { name: `${column}_sid`, type: 'String' },
  { name: `${column}_time`, type: 'Date' },
];

const pack = {
  tables: [
    {
      ...{ name: 'Customers', min_role_read: 1, min_role_write: 1 },
      fields: [
        ...['name', 'phone'].map((name) => ({ name, type: 'String' })),
        ...['once', 'killed'].flatMap(types),
      ].map((field) => ({ ...field, label: field.name })),
    },
  ],
  pages: [
    {
      ...{ name: 'buttons', title: 'Buttons', description: '', min_role: 1 },
      layout: {
        above: [button('once', 100), button('once', 101), button('killed', 100), rename],
      },
      ...{ fixed_states: {}, root_page_for_roles: [] },
    },
  ],
  triggers: [onChange],
  ...{ views: [], plugins: [], roles: [], library: [], tags: [], models: [] },
  ...{ model_instances: [], event_logs: [], page_groups: [], code_pages: [] },
};

describe('two workers on PostgreSQL that record the outcome of each row', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let boss: Visitor;

  beforeAll(async () => {
    sandbox = await openSandbox();
    const started = await startTwoWorkers(sandbox, { pack, customers: people });
    ({ saltcorn, boss } = started);
    const [one] = started.workers;
    await boss.post(one, '/auth/login', admin);
  });
  beforeEach(() => {
    sandbox.messages.length = 0;
    sandbox.faults.clear();
  });

  async function begin(worker: number, rndid: string): Promise<string> {
    const { text } = await boss.post(worker, `/page/buttons/action/${rndid}`, {});
    const [, run = ''] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(text) ?? [];
    // The same click again is a double click.
    await boss.post(worker, `${run}/rows`, { shown: run });
    await boss.post(worker, `${run}/start`, {});
    return run;
  }

  async function end(worker: number, run: string): Promise<string> {
    for (;;) {
      const { text } = await boss.get(worker, `${run}/part`);
      if (!text.includes('<progress')) return text;
    }
  }

  async function read(worker: number): Promise<Record<string, string>[]> {
    return JSON.parse((await boss.get(worker, '/api/Customers')).text).success;
  }

  /** The outcomes in the table, and the messages at the service. */
  async function compare(worker: number, column: string) {
    const rows = await read(worker);
    const phones = sandbox.messages.map(({ to }) => to);
    expect(new Set(phones).size).toBe(phones.length);
    const unknown = rows.filter((row) => row[column] === 'unknown');
    const done = rows.filter((row) => row[column] === 'sent');
    expect(done.length + unknown.length).toBe(people.length);
    const sidOf = (phone = '') => sandbox.messages.find(({ to }) => to === phone)?.sid;
    for (const row of done) expect(row[`${column}_sid`]).toBe(sidOf(row.phone));
    return unknown.map(({ name }) => name);
  }

  /** Kills a worker, and waits until it gets no more requests. */
  async function kill(worker: number) {
    process.kill(worker, 'SIGKILL');
    await until(() => saltcorn.written().includes(`worker ${worker} died`));
  }

  test('two simultaneous batches for the same rows, one per worker, send nothing twice', async () => {
    sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 200, times: people.length });
    const workers = await boss.workers(2);
    const runs = await Promise.all([
      begin(workers[0] ?? 0, 'once100'),
      begin(workers[1] ?? 0, 'once101'),
    ]);
    for (const [index, run] of runs.entries())
      expect(await end(workers[index] ?? 0, run)).toContain('sent');
    expect(await compare(workers[0] ?? 0, 'once')).toEqual([]);
    expect(sandbox.messages).toHaveLength(people.length);
  });

  test('another worker confirms the messages of a killed worker, and resumes the batch', async () => {
    const [worker = 0, other = 0] = await boss.workers(2);
    const answered = 6;
    sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 0, times: answered });
    sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 600_000, times: people.length });
    await begin(worker, 'killed100');
    // No row is between its claim and its request, for which the next batch would wait two minutes.
    let before = 0;
    await until(async () => {
      const claimed = (await read(other)).filter(({ killed }) => killed).length;
      const isStill = claimed === before && claimed === sandbox.messages.length;
      before = claimed;
      return isStill && claimed >= answered + 5;
    });
    await kill(worker);
    sandbox.faults.clear();
    // Its rows are left to a batch until that counts as ended.
    await until(async () => {
      await end(other, await begin(other, 'killed100'));
      return (await read(other)).every(({ killed }) => killed === 'sent' || killed === 'unknown');
    });
    expect(await compare(other, 'killed')).toEqual([]);
    expect(sandbox.messages).toHaveLength(people.length);
  });

  test('confirming the outcome of a row does not block a user who changes the row', async () => {
    const [worker = 0] = await boss.workers(2);
    const startedAt = new Date(Date.now() - 180_000).toISOString();
    const row = {
      name: 'Changed',
      phone: '+12025550199',
      once: 'in progress',
      once_time: startedAt,
    };
    await boss.post(worker, '/api/Customers', row);
    const { username, password, url } = sandbox;
    const service = connect({ username, password, baseUrl: url });
    await service.run('send-sms', { from: '+14155550100', to: row.phone, body: 'Hello' });
    const { status } = await boss.post(worker, '/page/buttons/action/rename', {});
    expect(status).toBe(200);
    const renamed = async () =>
      JSON.parse((await boss.get(worker, '/api/Customers?name=Renamed')).text).success[0];
    await until(async () => (await renamed()).once === 'sent');
    expect(await renamed()).toMatchObject({ phone: row.phone, once: 'sent' });
    expect(sandbox.messages).toHaveLength(1);
  });
});
