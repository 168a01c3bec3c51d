import { randomUUID } from 'node:crypto';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { openService } from '../../promises/service.ts';
import { until } from '../../support/until.ts';
import { chain, startN8n } from '../n8n-server.ts';

/** Opens an n8n with a workflow that answers each SMS. */
async function openInbox() {
  const { sandbox, settings } = await openService();
  sandbox.messages.length = 0;
  const n8n = await startN8n(settings);
  const webhookId = randomUUID();
  const workflow = await n8n.create(
    {
      Received: {
        ...{ type: 'n8n-nodes-telephony.telephonyTrigger', webhookId },
        parameters: { event: 'sms-received' },
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
  const url = `${n8n.server.url}/webhook/${webhookId}/events`;
  const report = (sid: string, from: string, token = settings.password) => {
    const parameters = {
      ...{ MessageSid: sid, From: from, To: '+14155550100', Body: 'Hi & bye' },
      ...{ AccountSid: settings.username, NumMedia: '0' },
    };
    return postEvent(url, signedForm(parameters, { token, url }));
  };
  // n8n registers the webhook a little later.
  await until(async () => (await report('SM0', '+12025550400', 'forged')).status !== 404);
  return {
    report,
    restart: () => n8n.server.restart('SIGTERM'),
    answered: () => sandbox.messages.map(({ to, body }) => ({ to, body })),
  };
}

const [one, two, three] = ['1', '2', '3'].map((digit) => `SM${digit.repeat(32)}`) as [
  string,
  string,
  string,
];
const body = 'Thanks for “Hi & bye”';

test('delivers each signed event once, also if it is repeated at once or after a restart', async () => {
  const { report, restart, answered } = await openInbox();
  const statuses = async (...reports: ReturnType<typeof report>[]) =>
    (await Promise.all(reports)).map(({ status }) => status);
  expect(await statuses(report(one, '+12025550401', 'forged'))).toEqual([403]);
  expect(await statuses(report(one, '+12025550401'), report(one, '+12025550401'))).not.toContain(
    403,
  );
  await until(() => answered().length === 1);
  await restart();
  await until(async () => (await report(three, '+12025550400', 'forged')).status !== 404);
  expect(await statuses(report(one, '+12025550401'), report(two, '+12025550402'))).toEqual([
    200, 200,
  ]);
  await until(() => answered().length === 2);
  expect(answered()).toEqual([
    { to: '+12025550402', body },
    { to: '+12025550401', body },
  ]);
});
