import { openReceiver, type ReceiveEvent, TelephonyError } from '../../src/builder.ts';

const request = { method: 'POST', url: '/events', headers: {} };
const response = { status: 200, headers: {}, body: 'Received' };
const receive: ReceiveEvent = async () => response;
const again = {
  status: 503,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Not received yet',
};
const incomplete = () => Promise.reject(new TelephonyError('settings', 'Enter the password.'));

test.each<[of: string, open: Parameters<typeof openReceiver>[0], response: object]>([
  ['an account', () => receive, response],
  ['an account that is not ready', () => undefined, again],
  ['an account with incomplete settings', incomplete, again],
])('opens the receiver of %s', async (_, open, expected) => {
  expect(await (await openReceiver(open))(request)).toEqual(expected);
});

test('an error of the builder is no response', async () => {
  const fault = new Error('No database.');
  await expect(openReceiver(() => Promise.reject(fault))).rejects.toBe(fault);
});
