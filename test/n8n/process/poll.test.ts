import { openService } from '../../promises/service.ts';
import { until } from '../../support/until.ts';
import { chain, startN8n } from '../n8n-server.ts';

/** Every second second. n8n's own choices start at a minute. */
const pollTimes = { item: [{ mode: 'custom', cronExpression: '0-59/2 * * * * *' }] };

/** Opens an n8n with a workflow that polls, and answers each SMS. */
async function openInbox() {
  const { sandbox, settings } = await openService();
  sandbox.messages.length = 0;
  const n8n = await startN8n(settings);
  const polls = () => sandbox.requests.filter(({ method }) => method === 'GET').length;
  const workflow = await n8n.create(
    {
      Received: {
        type: 'n8n-nodes-telephony.telephonyPollTrigger',
        parameters: { event: 'sms-received', pollTimes },
      },
      Answer: {
        type: 'n8n-nodes-telephony.telephony',
        parameters: {
          ...{ resource: 'message', operation: 'send-sms' },
          from: { __rl: true, mode: 'value', value: '={{ $json.to }}' },
          ...{ to: '={{ $json.from }}', body: '=Thanks for “{{ $json.body }}”' },
        },
      },
    },
    chain('Received', 'Answer'),
  );
  await n8n.activate(workflow);
  return {
    receive: (from: string, body: string) =>
      sandbox.receiveMessage({ from, to: '+14155550100', body }),
    restart: () => n8n.server.restart('SIGTERM'),
    async polled() {
      const before = polls();
      await until(() => polls() > before + 1);
    },
    answers: () =>
      sandbox.messages
        .filter(({ direction }) => direction !== 'inbound')
        .map(({ to, body }) => ({ to, body }))
        .reverse(),
  };
}

test('polls, and delivers each event once, also what came in while n8n was restarted', async () => {
  const { receive, restart, polled, answers } = await openInbox();
  const expected: object[] = [];
  const received = (from: string, body: string) => {
    receive(from, body);
    expected.push({ to: from, body: `Thanks for “${body}”` });
  };
  await polled();
  expect(answers()).toEqual([]);
  received('+12025550501', 'Are you open?');
  await until(() => answers().length === 1);
  const restarted = restart();
  received('+12025550502', 'And tomorrow?');
  await restarted;
  await until(() => answers().length > 1);
  await polled();
  await polled();
  expect(answers()).toEqual(expected);
});
