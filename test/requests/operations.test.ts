import { definitions, operations } from '../../src/index.ts';
import { type Exchange, fixtures } from './fixtures.ts';
import { answerWith, basic, isolate, telephony } from './service.ts';

isolate();

const { version } = definitions.manifest;
const headers = {
  accept: 'application/json',
  'accept-encoding': 'gzip, deflate, br',
  authorization: basic,
  host: 'service.test',
  'user-agent': `telephony-plugin/${version}`,
};

const wireHeaders = ({ method, body }: Exchange['request']) =>
  method === 'GET'
    ? headers
    : {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      };

test('every operation has a fixture', () => {
  const ids = operations.map(({ id }) => id);
  expect(fixtures.map(([id]) => id)).toEqual(ids.sort());
});

test.each(fixtures)('%s: the request on the wire, and what it returns', async (id, fixture) => {
  const exchanges = [fixture, ...(fixture.further ?? [])];
  const sent = answerWith(exchanges.map(({ answer }) => answer));

  const result = await telephony().run(id, fixture.input);

  expect(sent).toEqual(
    exchanges.map(({ request }) => ({ ...request, headers: wireHeaders(request) })),
  );
  expect(JSON.parse(JSON.stringify(result))).toEqual(fixture.result);
});
