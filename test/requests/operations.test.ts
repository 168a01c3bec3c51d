import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { definitions, type OperationId } from '../../src/index.ts';
import { answerWith, basic, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

interface Exchange {
  request: { method: string; path: string; body: string };
  answer: ServiceAnswer;
}
interface Fixture extends Exchange {
  input: object;
  further?: Exchange[];
  result: unknown;
}

const folder = resolve(__dirname, 'fixtures');
const fixtures = readdirSync(folder).map((file): [string, Fixture] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(resolve(folder, file), 'utf8')),
]);

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
  const ids = [...definitions.dataSources, ...definitions.actions].map(({ id }) => id);
  expect(fixtures.map(([id]) => id)).toEqual(ids.sort());
});

test.each(fixtures)('%s: the request on the wire, and what it returns', async (id, fixture) => {
  const exchanges = [fixture, ...(fixture.further ?? [])];
  const sent = answerWith(exchanges.map(({ answer }) => answer));

  const result = await telephony().run(id as OperationId, fixture.input as never);

  expect(sent).toEqual(
    exchanges.map(({ request }) => ({ ...request, headers: wireHeaders(request) })),
  );
  expect(JSON.parse(JSON.stringify(result))).toEqual(fixture.result);
});
