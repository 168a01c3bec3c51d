import { deletionInput, deletionRequest } from '../../support/copy-with-new-operations.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { chain, fetchAnew } from '../n8n-server.ts';
import type { Opened } from './opened.ts';

const to = '+14155550100';

/** Operations that only definitions describe, and what n8n makes of all of them. */
export function offersNewOperations(opened: () => Opened): void {
  beforeEach(() => takeRequests(opened().service.sandbox));

  const run = (parameters: object) =>
    opened().n8n.run(
      {
        Start: { type: 'n8n-nodes-base.manualTrigger' },
        New: { type: 'n8n-nodes-telephony.telephony', parameters },
      },
      chain('Start', 'New'),
    );

  test('a new data source becomes an operation that sends its request', async () => {
    await run({ resource: 'call', operation: 'calls-to-a-number', options: { to } });
    expect(takeRequests(opened().service.sandbox)).toEqual(['GET /Calls.json?To=%2B14155550100']);
  });

  test('a new action becomes an operation that sends its request', async () => {
    await run({ resource: 'call', operation: 'forward-a-call', callSid: 'CA1', to });
    const { requests, username } = opened().service.sandbox;
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      [`/2010-04-01/Accounts/${username}/Calls/CA1.json`, 'To=%2B14155550100'],
    ]);
  });

  test('a new deletion becomes an operation that sends its request', async () => {
    const { callSid, labels, ...others } = deletionInput;
    const pairs = labels.split('\n').map((line) => {
      const [name, value] = line.split('=');
      return { name, value };
    });
    const options = { ...others, labels: { pairs } };
    await run({ resource: 'call', operation: 'delete-a-call', callSid, options });
    expect(takeRequests(opened().service.sandbox)).toEqual([deletionRequest]);
  });

  test('a time without a zone is in the workflow’s time zone', async () => {
    const time = '2026-07-01T09:00:00';
    const times = [time, `={{ DateTime.fromISO('${time}') }}`, '2026-07-01T09:00:00Z'];
    for (const startTimeAfter of times)
      await run({
        ...{ resource: 'call', operation: 'calls-by-number-and-date' },
        options: { startTimeAfter },
      });
    const [typed, native, utc] = takeRequests(opened().service.sandbox);
    expect(typed).toBe(native);
    expect(typed).not.toBe(utc);
  });

  /** The descriptions of all nodes, which n8n's editor reads. */
  async function descriptions() {
    const { server, cookie } = opened().n8n;
    const response = await fetchAnew(`${server.url}/types/nodes.json`, {
      headers: { cookie: cookie() },
    });
    return (await response.json()) as { name: string; codex?: { alias?: string[] } }[];
  }

  test('the editor offers both new operations, with their help', async () => {
    const nodes = JSON.stringify(await descriptions());
    for (const text of ['"Calls to a Number"', '"Calls that went to a number"', '"Forward a Call"'])
      expect(nodes).toContain(text);
  });

  test('the editor finds the nodes by what they are for', async () => {
    const nodes = (await descriptions()).filter(({ codex }) => codex?.alias?.includes('Recording'));
    const names = [
      ...['telephony', 'telephonyLimitTrigger', 'telephonyPollTrigger'],
      ...['telephonyTool', 'telephonyTrigger'],
    ];
    expect(nodes.map(({ name }) => name).sort()).toEqual(
      names.map((name) => `n8n-nodes-telephony.${name}`),
    );
  });
}
