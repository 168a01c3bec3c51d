import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type TelephonySettings } from '../src/builder.ts';
import type { Effort } from './effort.ts';
import { lists, pack } from './list-pack.ts';
import { account } from './records.ts';

/** Requests per second, one figure per round. */
export type ListFigures = Record<keyof typeof lists, number[]>;

const root = join(import.meta.dirname, '..');
const saltcorn = join(root, 'demo/saltcorn');
const connections = 10;

async function startSaltcorn(home: string, configuration: TelephonySettings) {
  const packFile = join(home, 'pack.json');
  await writeFile(packFile, JSON.stringify(pack));
  const args = ['--home', home, '--admin', 'admin@example.com', '--pack', packFile];
  args.push('--plugin', join(root, 'dist/saltcorn'));
  const env = {
    ...process.env,
    ADMIN_PASSWORD: 'Not-a-real-1-password',
    PLUGIN_CONFIGURATION: JSON.stringify(configuration),
  };
  const child = fork(join(saltcorn, 'dist/serve.mjs'), args, {
    env,
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const [message] = await once(child, 'message');
  const { url }: { url: string } = message;
  return { child, url };
}

/** The types of Saltcorn's own package that are used. */
interface Sqlite {
  Database: new (
    file: string,
  ) => {
    run(sql: string, values: unknown[], done: (error: Error | null) => void): void;
    close(done: (error: Error | null) => void): void;
  };
}

/** Fills the native table with the rows of the plugin's table. */
async function fillNative(home: string, configuration: TelephonySettings) {
  const { records } = await connect(configuration).run('account-calls', {});
  const { Database }: Sqlite = createRequire(join(saltcorn, 'package.json'))('sqlite3');
  const database = new Database(join(home, 'database.sqlite'));
  for (const row of records) {
    const columns = Object.keys(row).map((name) => `"${name}"`);
    const values = Object.values(row).map((value) => (value instanceof Date ? +value : value));
    const places = values.map(() => '?');
    const sql = `insert into "${lists.native}" (${columns}) values (${places})`;
    await promisify(database.run).call(database, sql, values);
  }
  await promisify(database.close).call(database);
}

interface Answer {
  status: number | undefined;
  text: string;
}

function get(agent: http.Agent, url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent }, async (response) => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode, text });
      })
      .on('error', reject);
  });
}

const rowsOf = ({ status, text }: Answer) => {
  if (status !== 200) throw new Error(`The response to a list has the status ${status}`);
  const body = text.slice(text.indexOf('<tbody'), text.indexOf('</tbody>'));
  return body
    .split('<tr')
    .slice(1)
    .map((row) => row.replace(/<[^>]*>|[^>]*>/g, ' ').trim());
};

/** Requests a page again and again, on ten connections. */
async function requestsPerSecond(agent: http.Agent, url: string, seconds: number) {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const work = async () => {
    for (; performance.now() < end; count += 1)
      if ((await get(agent, url)).status !== 200) throw new Error('A list was not answered.');
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  return count / ((performance.now() - began) / 1000);
}

async function compare(url: string, { rounds, seconds }: Effort): Promise<ListFigures> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const pages: [keyof ListFigures, page: string][] = [
    ['plugin', `${url}/view/${lists.plugin}`],
    ['native', `${url}/view/${lists.native}`],
  ];
  const shown = await Promise.all(pages.map(async ([, page]) => rowsOf(await get(agent, page))));
  if (shown[0]?.length !== 20 || JSON.stringify(shown[0]) !== JSON.stringify(shown[1]))
    throw new Error(`The lists do not show the same 20 rows: ${JSON.stringify(shown, null, 1)}`);
  const figures: ListFigures = { plugin: [], native: [] };
  for (const [, page] of pages) await requestsPerSecond(agent, page, seconds);
  for (let round = 0; round < rounds; round += 1)
    for (const [name, page] of pages)
      figures[name].push(await requestsPerSecond(agent, page, seconds));
  agent.destroy();
  return figures;
}

/**
 * Measures how many pages with a list of 20 calls Saltcorn serves per second: over the plugin's table, whose rows are cached for a few
 * seconds, and over an SQLite table with the same rows.
 *
 * @param service the service's URL
 */
export async function measureList(service: string, effort: Effort): Promise<ListFigures> {
  const home = await mkdtemp(join(tmpdir(), 'telephony-bench-'));
  const configuration = { ...account, baseUrl: `${service}/calls-20` };
  const { child, url } = await startSaltcorn(home, configuration);
  try {
    await fillNative(home, configuration);
    return await compare(url, effort);
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
    await rm(home, { recursive: true, force: true });
  }
}
