import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { openSandbox } from '../support/open-sandbox.ts';
import { proxyTo } from '../support/reverse-proxy.ts';
import type { BuilderServer } from '../support/serve-builder.ts';
import { size } from '../support/size.ts';
import { until } from '../support/until.ts';

export interface ManyRow {
  id: string;
  name: string;
  phone: string;
}

/** An app that texts each of many rows. */
export interface ManyRowsApp {
  server: Pick<BuilderServer, 'home' | 'pid'>;
  /** Previews the rows, and starts their batch. */
  start(rows: ManyRow[]): Promise<void>;
  /** Resolves to the outcome of each row, in their order, once the batch has ended; to undefined before. */
  outcomes(): Promise<string[] | undefined>;
}

/** How many rows: `ROWS=20000` for a longer round than any level's. */
export const manyRows = (short: number, long: number): number =>
  Number(process.env.ROWS) || size(short, long);

/** How long a test with so many rows may take, in milliseconds. */
export const manyRowsMs = (rows: number): number => 300_000 + rows * 50;

const perSecond = 100;
const latencyMs = 200;

const megabytes = (bytes: number) => `${(bytes / 1_048_576).toFixed(0)} MB`;

const sizeOf = (home: string) =>
  Number(execFileSync('du', ['--summarize', '--bytes', home], { encoding: 'utf8' }).split('\t')[0]);

const peakOf = (pid: number) =>
  Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;

/**
 * Texts many rows in an app, of a service that accepts a hundred requests a second and answers after 200 ms. With `ROWS`, prints what
 * that took.
 *
 * @param open opens an app whose settings lead to the service
 */
export async function sendsManyRows(
  open: (settings: { username: string; password: string; baseUrl: string }) => Promise<ManyRowsApp>,
  count: number,
): Promise<void> {
  const sandbox = await openSandbox({ limit: { requests: perSecond } });
  const { messages, username, password } = sandbox;
  messages.length = 0;
  const proxy = await proxyTo(sandbox.url);
  proxy.handler = (_from, _to, forward) => void setTimeout(latencyMs).then(forward);
  const { server, start, outcomes } = await open({ username, password, baseUrl: proxy.url });
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: String(index), name: `Row ${index}` },
    phone: `+1202${5_560_000 + index}`,
  }));
  await start(rows);
  const [began, before] = [performance.now(), sizeOf(server.home)];
  while (messages.length < count) {
    const sent = messages.length;
    await until(() => messages.length > sent);
  }
  const [seconds, during] = [(performance.now() - began) / 1_000, sizeOf(server.home)];
  let ends: string[] | undefined;
  await until(async () => {
    ends = await outcomes();
    return ends !== undefined;
  });
  if (process.env.ROWS) {
    const refused = sandbox.requests.filter(({ status }) => status === 429).length;
    const times = `${seconds.toFixed(0)} s, ${((seconds * perSecond) / count).toFixed(2)} of the ideal`;
    const sizes = [during, sizeOf(server.home)].map((bytes) => megabytes(bytes - before));
    console.info(
      `${count} rows: ${times}, ${refused} of the last 1,000 requests refused, ${megabytes(peakOf(server.pid()))} of memory, ${sizes.join(' and then ')} stored`,
    );
  }
  expect(ends).toEqual(rows.map(() => 'sent'));
  expect(messages.map(({ to }) => to).sort()).toEqual(rows.map(({ phone }) => phone).sort());
}
