import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { connect, type Telephony } from '../../src/builder.ts';
import { errorOf, parts } from '../requests/errors.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { account } from './service.ts';

/** The requests of one operation, the service's responses, and the result. */
interface Exchange {
  run: string;
  input: object;
  requests: { method: string; path: string; body: string }[];
  answers: { status: number; body: object }[];
  /** A record, or the pages of a list. */
  result?: unknown;
  error?: object;
}
interface Service {
  basePath: string;
  username: string;
  exchanges: Exchange[];
}

const folder = resolve(__dirname, 'compatible');
const services = readdirSync(folder).map((file): [string, Service] => [
  file.replace('.json', ''),
  JSON.parse(readFileSync(resolve(folder, file), 'utf8')),
]);

async function outcome(telephony: Telephony, { run, input, requests, error }: Exchange) {
  const isPaged = requests[1]?.path.includes('PageToken');
  if (error) return { error: parts(await errorOf(telephony.run(run, input))) };
  if (!isPaged) return { result: await telephony.run(run, input) };
  const pages: unknown[] = [];
  for await (const page of telephony.pages(run, input)) pages.push(page);
  return { result: pages };
}

describe.each(services)('%s', (_, { basePath, username, exchanges }) => {
  test.each(
    exchanges.map((exchange, index): [number, string, Exchange] => [index, exchange.run, exchange]),
  )(
    'exchange %i, %s, sends the expected requests and has the expected result',
    async (__, ___, exchange) => {
      const { requests, answers, result, error } = exchange;
      const rawServer = await openRawServer((socket) => {
        const next = answers[rawServer.received.length - 1];
        socket.write(answer(next?.status ?? 599, JSON.stringify(next?.body)));
      });
      const telephony = connect({
        ...account,
        username,
        baseUrl: rawServer.url + basePath,
        limits: { maxAttempts: 1, confirmTimeoutMs: 0 },
      });
      const actual = JSON.parse(JSON.stringify(await outcome(telephony, exchange)));
      expect(actual).toEqual(error ? { error } : { result });
      expect(rawServer.received.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
        requests,
      );
    },
  );
});
