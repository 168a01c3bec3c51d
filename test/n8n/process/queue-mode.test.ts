import { createRequire } from 'node:module';
import { join } from 'node:path';
import { environment } from '../../../demo/n8n/environment.ts';
import { freePort } from '../../../demo/ports.ts';
import { openService } from '../../promises/service.ts';
import { root } from '../../support/root.ts';
import { startProgram } from '../../support/start-program.ts';
import { startRedis } from '../../support/start-redis.ts';
import { until } from '../../support/until.ts';
import { chain, startN8n } from '../n8n-server.ts';

// n8n in queue mode: workers execute the workflows, one after the other here.

const require = createRequire(join(root, 'demo/n8n/package.json'));

async function open() {
  const queue = {
    EXECUTIONS_MODE: 'queue',
    OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
    QUEUE_BULL_REDIS_HOST: '127.0.0.1',
    QUEUE_BULL_REDIS_PORT: String(await startRedis()),
    // How soon n8n notices that a worker has ended, in ms. A worker that loads its nodes on a busy machine must not count as ended.
    ...{ QUEUE_WORKER_LOCK_DURATION: '15000', QUEUE_WORKER_LOCK_RENEW_TIME: '2000' },
    QUEUE_WORKER_STALLED_INTERVAL: '500',
  };
  const service = await openService();
  service.sandbox.messages.length = 0;
  const n8n = await startN8n(service.settings, undefined, queue);

  async function startWorker() {
    const { server } = n8n;
    const ports = [await freePort(), await freePort()] as const;
    const worker = startProgram(process.execPath, [require.resolve('n8n/bin/n8n'), 'worker'], {
      env: {
        ...{ PATH: process.env.PATH, ...queue },
        ...environment(server.home, String(ports[0]), ports[1]),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let written = '';
    worker.stdout?.setEncoding('utf8').on('data', (text) => {
      written += text;
    });
    await until(() => written.includes('is now ready'));
    return worker;
  }

  /** Creates a workflow that texts these recipients. */
  const texting = (recipients: string[], sending: object = {}) =>
    n8n.create(
      {
        Start: { type: 'n8n-nodes-base.manualTrigger' },
        Rows: {
          ...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
          parameters: {
            mode: 'raw',
            jsonOutput: JSON.stringify({ rows: recipients.map((to) => ({ to })) }),
          },
        },
        Split: { type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'rows' } },
        SMS: {
          type: 'n8n-nodes-telephony.telephony',
          parameters: {
            ...{ resource: 'message', operation: 'send-sms', to: '={{ $json.to }}', body: 'Hello' },
            ...{ from: { __rl: true, mode: 'value', value: '+14155550100' }, sending },
          },
        },
      },
      chain('Start', 'Rows', 'Split', 'SMS'),
    );

  const reached = () => service.sandbox.messages.map(({ to }) => to).sort();
  return { n8n, service, startWorker, texting, reached };
}

test('a second worker does not send again what a first one sent or may have sent', async () => {
  const { n8n, service, startWorker, texting, reached } = await open();
  const first = await startWorker();
  const failed = await n8n.runWorkflow(await texting(['+12025550301', 'wrong number']));
  expect([failed.status, reached()]).toEqual(['error', ['+12025550301']]);
  await until(async () => n8n.claimCount() === 0);

  // The service has the message, but its response doesn't arrive.
  service.sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 600_000 });
  const withKey = await texting(['+12025550302'], { oncePer: 'order 7' });
  const interrupted = await n8n.start(withKey);
  await until(() => reached().length === 2);
  first.kill('SIGKILL');
  expect(reached()).toEqual(['+12025550301', '+12025550302']);

  await startWorker();
  expect((await n8n.ended(interrupted)).status).toBe('crashed');
  expect((await n8n.retry(failed.id)).status).toBe('error');
  expect((await n8n.runWorkflow(withKey)).error).toContain('may have sent with the key “order 7”');
  expect(reached()).toEqual(['+12025550301', '+12025550302']);
});
