import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from '../../src/builder.ts';
import { serveHttp } from '../support/serve-http.ts';
import { account, callSid, telephonyAt } from './service.ts';

/** A service that holds requests until `answerAll`. */
async function holdingService() {
  const held: ServerResponse[] = [];
  const counts = { most: 0, answered: 0 };
  const { server, url } = await serveHttp((request, response) => {
    if (request.url === '/probe') return response.end();
    held.push(response);
    counts.most = Math.max(counts.most, held.length);
    return server.emit('held');
  });
  return {
    url,
    counts,
    async holds(number: number) {
      while (held.length < number) await once(server, 'held');
      // Requests that were sent before these probes have arrived once they are answered.
      for (let i = 0; i < 3; i += 1) await fetch(`${url}/probe`);
      return held.length;
    },
    answerAll() {
      for (const response of held.splice(0)) {
        counts.answered += 1;
        response.end(JSON.stringify({ sid: callSid }));
      }
    },
  };
}

let service: Awaited<ReturnType<typeof holdingService>>;
beforeEach(async () => {
  service = await holdingService();
});

const readCall = (telephony: ReturnType<typeof telephonyAt>) =>
  telephony.run('view-a-call', { callSid });

test.each([
  [undefined, 10],
  [10, 10],
  [3, 3],
  [1, 1],
])('with concurrency %p, of 50 reads at once %i are in progress', async (concurrency, most) => {
  const limits = concurrency === undefined ? {} : { concurrency };
  const telephony = telephonyAt(service.url, limits);
  const reads = Array.from({ length: 50 }, () => readCall(telephony));
  const rounds: number[] = [];
  while (service.counts.answered < 50) {
    rounds.push(await service.holds(Math.min(most, 50 - service.counts.answered)));
    service.answerAll();
  }
  expect((await Promise.all(reads)).map(({ sid }) => sid)).toEqual(Array(50).fill(callSid));
  expect(service.counts).toEqual({ most, answered: 50 });
  expect(rounds).toEqual(
    Array.from({ length: Math.ceil(50 / most) }, (_, round) => Math.min(most, 50 - round * most)),
  );
});

test('accounts do not wait for each other', async () => {
  const busy = telephonyAt(service.url, { concurrency: 2 });
  const waiting = Array.from({ length: 5 }, () => readCall(busy));
  expect(await service.holds(2)).toBe(2);
  const other = connect({
    ...account,
    username: 'AC2',
    baseUrl: service.url,
    limits: { concurrency: 2 },
  });
  const read = readCall(other);
  expect(await service.holds(3)).toBe(3);
  while (service.counts.answered < 6) {
    await service.holds(1);
    service.answerAll();
  }
  expect((await Promise.all([read, ...waiting])).map(({ sid }) => sid)).toEqual(
    Array(6).fill(callSid),
  );
});
