import fc from 'fast-check';
import { type EventOutcome, nodeHandler, receiveEvents } from '../../src/builder.ts';
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

test(`refuses all of ${cases} forged requests with the same answer`, async () => {
  const told: string[] = [];
  const reports: EventOutcome[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: ({ id }) => void told.push(id),
    onOutcome: (report) => void reports.push(report),
  });
  const { ways, forged } = forgedRequests(address);
  const tried = new Set<string>();
  await fc.assert(
    fc.asyncProperty(forged, async ({ way, request }) => {
      tried.add(way);
      expect(await receive(request)).toEqual(forbidden);
    }),
    { numRuns: cases, seed },
  );
  expect(tried.size).toBe(ways.length);
  expect(told).toEqual([]);
  expect(reports.every(({ outcome }) => outcome === 'refused')).toBe(true);

  // What they were forged from does get in.
  for (const [id] of fixtures) await receive(signedForm(parametersOf(id)));
  expect(told).toEqual(fixtures.map(([id]) => id));
});

test('refuses forged requests over HTTP', async () => {
  const told: string[] = [];
  const receive = receiveEvents(account, { url: address, onEvent: ({ id }) => void told.push(id) });
  const { url } = await serveHttp(
    (request, response) => void nodeHandler(receive)(request, response),
  );
  const ways = await postForged(url, address);
  expect([...ways.keys()].filter((status) => status !== 400)).toEqual([403]);
  expect(ways.get(403)?.size).toBeGreaterThan(15);
  expect(told).toEqual([]);
});

/**
 * Names and values stand in what is signed with nothing between them, so that one signature fits several requests. Who has
 * seen a request can make others of it, with another identifier, too.
 */
test('never delivers a replay whose values are shifted between parameters', async () => {
  const told: string[] = [];
  const receive = receiveEvents(account, {
    url: address,
    onEvent: (event) => void told.push(String(event.record.sid)),
  });
  const genuine = parametersOf('sms-received');
  const request = signedForm(genuine);
  await receive(request);

  const names = Object.keys(genuine).sort();
  const moved = names.slice(0, -1).flatMap((name, index) => {
    const next = names[index + 1] ?? '';
    const rest = without(without(genuine, name), next);
    return [
      // The next parameter becomes a part of this one's value.
      { ...rest, [name]: `${genuine[name]}${next}${genuine[next]}` },
      // The beginning of the next one's name does.
      {
        ...rest,
        [name]: `${genuine[name]}${next.slice(0, 1)}`,
        [next.slice(1)]: String(genuine[next]),
      },
      // The end of this one's value becomes a part of the next one's name.
      {
        ...rest,
        [name]: String(genuine[name]).slice(0, -1),
        [`${String(genuine[name]).slice(-1)}${next}`]: String(genuine[next]),
      },
    ];
  });
  const fits = moved.map((parameters) => withBody(request, parameters));
  const answers = await Promise.all(fits.map(receive));
  // Some of them are signed, as the sorting goes: without the signature's being remembered they would be told.
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length).toBeGreaterThan(5);
  expect(told).toEqual([genuine.MessageSid]);
});
