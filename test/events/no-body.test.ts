import { receiveEvents } from '../../src/builder.ts';
import { account, address } from './signed.ts';

const types = ['application/x-www-form-urlencoded', 'application/json', undefined];
const bodies = [undefined, null, '', {}, [], 0, false];

test.each(types.flatMap((type) => bodies.map((body) => ({ type, body }))))(
  'refuses a request without a body: $type $body',
  async ({ type, body }) => {
    const reports: string[] = [];
    const receive = receiveEvents(account, {
      url: address,
      onEvent: () => {},
      onOutcome: ({ outcome }) => void reports.push(outcome),
    });
    const headers = { 'content-type': type, 'x-twilio-signature': 'forged' };
    // Body parsers disagree about the type of an absent body.
    const request = { method: 'POST', url: '/events', headers, body: body as object };
    expect(await receive(request)).toMatchObject({ status: 403, body: 'Forbidden' });
    expect(reports).toEqual(['refused']);
  },
);

test('refuses a request that cannot be read at all', async () => {
  const receive = receiveEvents(account, { url: address, onEvent: () => {} });
  const broken = {
    get body(): object {
      throw new Error('broken');
    },
  };
  const request = { method: 'POST', url: '/events', headers: {}, ...{ body: '' } };
  Object.defineProperties(request, Object.getOwnPropertyDescriptors(broken));
  expect(await receive(request)).toMatchObject({ status: 403 });
});
