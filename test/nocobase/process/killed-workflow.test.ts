import { killedBatches } from '../../promises/survives-kills.ts';
import { gateTo } from '../../support/gate.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { applicationOf } from '../application-of.ts';
import { startNocobase, startTimeoutMs } from '../nocobase-server.ts';
import { addWorkflow, newestJob } from '../workflow-on-table.ts';

(killedBatches(0, 0) > 0 ? test : test.skip)(
  'a node that NocoBase repeats after a crash sends nothing, and reports the unknown outcome (with BATCHES only)',
  async () => {
    const sandbox = await openSandbox();
    sandbox.messages.length = 0;
    const gate = await gateTo(sandbox.url, (path) => path.endsWith('/Messages.json'));
    const { username, password } = sandbox;
    const server = await startNocobase({ username, password, baseUrl: gate.url });
    const sms = { from: '+14155550100', to: '+12025550143', body: 'Hi' };
    const workflow = await addWorkflow(server.admin, {
      ...{ title: 'Later', type: 'telephony-sms-received', config: {}, isAwaited: false },
      nodes: [
        { type: 'delay', input: {}, config: { duration: 1, unit: 1000, endStatus: 1 } },
        { type: 'telephony-send-sms', input: sms },
      ],
    });
    await server.admin.request(`workflows:execute?filterByTk=${workflow}`, {
      data: { sid: 'SM1' },
    });
    await gate.holds(1);
    await server.restart('SIGKILL', applicationOf(server.pid()));
    await until(async () => JSON.stringify(await newestJob(server.admin)).includes('code'));
    expect(await newestJob(server.admin)).toMatchObject({
      ...{
        status: -1,
        result: { code: 'unknown-outcome', message: expect.stringContaining('started before') },
      },
    });
    await gate.open();
    expect(sandbox.messages.length).toBeLessThan(2);
  },
  2 * startTimeoutMs,
);
