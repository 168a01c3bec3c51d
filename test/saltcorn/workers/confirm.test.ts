import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { startTwoWorkers } from './two-workers.ts';
import { Visitor } from './visitor.ts';

const everyone = 100;

const button = (rndid: string) => ({
  ...{ type: 'action', rndid, action_name: 'Send SMS', minRole: everyone },
  configuration: { from: '+14155550100', to: '+12025550143', body: `We are ${rndid}.` },
});
const page = {
  ...{ name: 'buttons', title: 'Buttons', description: '', min_role: everyone },
  layout: { above: ['closed', 'open'].map(button) },
  ...{ fixed_states: {}, root_page_for_roles: [] },
};
const customers = { name: 'Customers', min_role_read: 1, min_role_write: 1, fields: [] };
const pack = {
  ...{ pages: [page], tables: [customers], views: [], plugins: [], triggers: [], roles: [] },
  ...{ library: [], tags: [], models: [], model_instances: [], event_logs: [] },
  ...{ page_groups: [], code_pages: [] },
};

describe('two visitors of two workers on PostgreSQL who send the same SMS', () => {
  let sandbox: Sandbox;
  let visitors: [visitor: Visitor, worker: number][];

  beforeAll(async () => {
    sandbox = await openSandbox();
    const settings = { minimumRole: String(everyone) };
    const started = await startTwoWorkers(sandbox, { pack, customers: [], settings });
    visitors = started.workers.map((worker) => [new Visitor(started.saltcorn.url), worker]);
  });
  beforeEach(() => {
    sandbox.messages.length = 0;
    sandbox.requests.length = 0;
  });

  async function press([visitor, worker]: [Visitor, number], rndid: string) {
    const { text } = await visitor.post(worker, `/page/buttons/action/${rndid}`, {});
    const { notify_success: success, notify } = JSON.parse(text);
    return success ? 'sent' : notify;
  }

  test.each([
    ['closed', 'reset-before', 1, expect.stringContaining('The outcome of "Send SMS" is unknown')],
    ['open', 'reset-after', 2, 'sent'],
  ] as const)('%s: a message is confirmed by its own record only (%s)', async (...row) => {
    const [text, fault, stored, outcome] = row;
    sandbox.faults.add({ name: fault, method: 'POST' });
    const [first, second] = visitors as [(typeof visitors)[0], (typeof visitors)[0]];
    const faulty = press(first, text);
    await until(() => sandbox.requests.length > 0);
    expect([await press(second, text), await faulty]).toEqual(['sent', outcome]);
    expect(sandbox.messages).toHaveLength(stored);
  });
});
