import fc from 'fast-check';
import {
  type EventOutcome,
  eventDefinition,
  nodeHandler,
  receiveEvents,
} from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { fixtures, parametersOf } from './fixtures.ts';
import { forgedRequests, withBody, without } from './forged.ts';
import { postForged } from './post.ts';
import { account, address, signedForm } from './signed.ts';

const cases = 1_000;
const seed = 4_711;

const forbidden = {
  status: 403,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'Forbidden',
};

test(`refuses all of ${cases} forged requests with the same response`, async () => {
  const delivered: string[] = [];
  const reports: EventOutcome[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ id }) => void delivered.push(id),
    onOutcome: (report) => void reports.push(report),
  });
  const { ways, forged } = forgedRequests(address);
  const usedWays = new Set<string>();
  await fc.assert(
    fc.asyncProperty(forged, async ({ way, request }) => {
      usedWays.add(way);
      expect(await receive(request)).toEqual(forbidden);
    }),
    { numRuns: cases, seed },
  );
  expect(usedWays.size).toBe(ways.length);
  expect(delivered).toEqual([]);
  expect(reports.every(({ outcome }) => outcome === 'refused')).toBe(true);

  // The genuine requests are accepted.
  for (const [id] of fixtures) await receive(signedForm(parametersOf(id)));
  const parts = fixtures.map(([id]) => eventDefinition(id).of).filter((id) => id !== undefined);
  expect(delivered.sort()).toEqual([...fixtures.map(([id]) => id), ...parts].sort());
});

test('refuses forged requests over HTTP', async () => {
  const delivered: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ id }) => void delivered.push(id),
  });
  const { url } = await serveHttp(
    (request, response) => void nodeHandler(receive)(request, response),
  );
  const ways = await postForged(url, address);
  expect([...ways.keys()].filter((status) => status !== 400)).toEqual([403]);
  expect(ways.get(403)?.size).toBeGreaterThan(15);
  expect(delivered).toEqual([]);
});

/**
 * The signed text joins names and values without separators, so one signature fits several requests. An attacker who has seen
 * a request can forge others from it, with another identifier, too.
 */
test('never delivers a replay whose values are shifted between parameters', async () => {
  const delivered: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: (event) => void delivered.push(String(event.record.sid)),
  });
  const genuine = parametersOf('sms-received');
  const request = signedForm(genuine);
  await receive(request);

  const names = Object.keys(genuine).sort();
  const moved = names.slice(0, -1).flatMap((name, index) => {
    const next = names[index + 1] ?? '';
    const rest = without(without(genuine, name), next);
    return [
      // The next parameter becomes part of this value.
      { ...rest, [name]: `${genuine[name]}${next}${genuine[next]}` },
      // The beginning of the next name becomes part of this value.
      {
        ...rest,
        [name]: `${genuine[name]}${next.slice(0, 1)}`,
        [next.slice(1)]: String(genuine[next]),
      },
      // The end of this value becomes part of the next name.
      {
        ...rest,
        [name]: String(genuine[name]).slice(0, -1),
        [`${String(genuine[name]).slice(-1)}${next}`]: String(genuine[next]),
      },
    ];
  });
  const fits = moved.map((parameters) => withBody(request, parameters));
  const answers = await Promise.all(fits.map(receive));
  // Some of these have a valid signature. Only the delivery log, which knows it, keeps them out.
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThan(5);
  expect(delivered).toEqual([genuine.MessageSid]);
});
