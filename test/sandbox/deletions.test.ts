import { ask, get, type sandboxFor as open, post, sandboxFor } from './client.ts';

type Sandbox = Awaited<ReturnType<typeof open>>;

const scheduled = {
  ...{ MessagingServiceSid: 'MG1', To: '+12025550143', Body: 'Later' },
  ...{ SendAt: '2026-03-12T15:00:00Z', ScheduleType: 'fixed' },
};
const send = async (sandbox: Sandbox, draft: Record<string, string>) => {
  const { body } = await post(sandbox, '/Messages.json', draft);
  return `/Messages/${body.sid}.json`;
};
const now = { From: '+14155550100', To: '+12025550143', Body: 'Now' };
const delivered = ({ messages }: Sandbox) =>
  `/Messages/${messages.find(({ status }) => status === 'delivered')?.sid}.json`;

const statusOf = async (answer: Promise<{ status: number; body: { code?: number } }>) => {
  const { status, body } = await answer;
  return [status, body.code];
};

test('a scheduled message is canceled, and stays so', async () => {
  const sandbox = await sandboxFor();
  const path = await send(sandbox, scheduled);
  const { body } = await post(sandbox, path, { Status: 'canceled' });
  expect(body.status).toBe('canceled');
  sandbox.pass(48 * 3_600);
  expect((await get(sandbox, path)).body.status).toBe('canceled');
  expect(await statusOf(post(sandbox, path, { Status: 'canceled' }))).toEqual([409, 30409]);
});

test('only a scheduled message can be canceled', async () => {
  const sandbox = await sandboxFor();
  const path = delivered(sandbox);
  expect(await statusOf(post(sandbox, path, { Status: 'canceled' }))).toEqual([409, 30409]);
});

test('an empty body deletes the text of a message, no body changes nothing', async () => {
  const sandbox = await sandboxFor();
  const path = delivered(sandbox);
  const { body: before } = await post(sandbox, path, {});
  expect(before.body).not.toBe('');
  const { body: after } = await post(sandbox, path, { Body: '' });
  expect(after).toEqual({ ...before, body: '', date_updated: after.date_updated });
});

test.each([['Messages'], ['Recordings']] as const)(
  'one of the %s is deleted once',
  async (kind) => {
    const sandbox = await sandboxFor();
    const [one] = kind === 'Messages' ? sandbox.messages : sandbox.recordings.slice(-1);
    const path = kind === 'Messages' ? delivered(sandbox) : `/${kind}/${one?.sid}.json`;
    const count = () => (kind === 'Messages' ? sandbox.messages : sandbox.recordings).length;
    const before = count();
    expect(await ask(sandbox, 'DELETE', path)).toEqual({ status: 204, body: '' });
    expect(count()).toBe(before - 1);
    expect(await statusOf(ask(sandbox, 'DELETE', path))).toEqual([404, 20404]);
  },
);

test('nothing is deleted before it is complete', async () => {
  const sandbox = await sandboxFor();
  const path = await send(sandbox, now);
  expect(await statusOf(ask(sandbox, 'DELETE', path))).toEqual([409, 20009]);
  expect(await statusOf(post(sandbox, path, { Body: '' }))).toEqual([409, 20009]);
});
