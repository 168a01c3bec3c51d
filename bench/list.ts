import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect, type TelephonySettings } from '../src/builder.ts';
import type { Effort } from './effort.ts';
import { pack, type Rows, tablesOf } from './list-pack.ts';
import { account } from './records.ts';
import { atBuilder } from './start-builder.ts';

/** Requests per second, one figure per round. */
export interface ListFigures {
  /** A page with one list. */
  list: Record<Rows, number[]>;
  /** A page with three lists and a filter. */
  page: Record<Rows, number[]>;
}

const root = join(import.meta.dirname, '..');
const saltcorn = join(root, 'demo/saltcorn');
const connections = 10;

/** Writes the pack, and returns the arguments for a Saltcorn with it. */
async function argsIn(home: string) {
  const packFile = join(home, 'pack.json');
  await writeFile(packFile, JSON.stringify(pack));
  return [
    '--admin',
    'admin@example.com',
    '--pack',
    packFile,
    '--plugin',
    join(root, 'dist/saltcorn'),
  ];
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

/** Fills the native tables with the rows of the plugin's table. */
async function fillNative(home: string, configuration: TelephonySettings) {
  const { records } = await connect(configuration).run('account-calls', {});
  const { Database }: Sqlite = createRequire(join(saltcorn, 'package.json'))('sqlite3');
  const database = new Database(join(home, 'database.sqlite'));
  for (const [table, row] of tablesOf.native.flatMap((name) =>
    records.map((one) => [name, one] as const),
  )) {
    const columns = Object.keys(row).map((name) => `"${name}"`);
    const values = Object.values(row).map((value) => (value instanceof Date ? +value : value));
    const places = values.map(() => '?');
    const sql = `insert into "${table}" (${columns}) values (${places})`;
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

/** The text of each row of each list on a page. */
const rowsOf = ({ status, text }: Answer) => {
  if (status !== 200) throw new Error(`The response to a list has the status ${status}`);
  return [...text.matchAll(/<tbody.*?<\/tbody>/gs)].flatMap(([body]) =>
    body
      .split('<tr')
      .slice(1)
      .map((row) => row.replace(/<[^>]*>|[^>]*>/g, ' ').trim()),
  );
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

/**
 * Compares a page over the plugin's tables with the same page over native ones.
 *
 * @param rows how many rows the page shows
 */
async function compare(
  agent: http.Agent,
  pages: Record<Rows, string>,
  rows: number,
  { rounds, seconds }: Effort,
) {
  const [ours = [], native] = [
    rowsOf(await get(agent, pages.plugin)),
    rowsOf(await get(agent, pages.native)),
  ];
  if (ours.length !== rows || JSON.stringify(ours) !== JSON.stringify(native))
    throw new Error(
      `The pages do not show the same ${rows} rows: ${JSON.stringify([ours, native], null, 1)}`,
    );
  const figures: Record<Rows, number[]> = { plugin: [], native: [] };
  const names = ['plugin', 'native'] as const;
  for (const name of names) await requestsPerSecond(agent, pages[name], seconds);
  for (let round = 0; round < rounds; round += 1)
    for (const name of names)
      figures[name].push(await requestsPerSecond(agent, pages[name], seconds));
  return figures;
}

/**
 * Measures how many pages with lists of 20 calls Saltcorn serves per second: over the plugin's tables, whose rows are cached for a few
 * seconds, and over SQLite tables with the same rows.
 *
 * @param service the service's URL
 */
export function measureList(service: string, effort: Effort): Promise<ListFigures> {
  const configuration = { ...account, baseUrl: `${service}/calls-20` };
  const env = {
    ADMIN_PASSWORD: 'Not-a-real-1-password',
    PLUGIN_CONFIGURATION: JSON.stringify(configuration),
  };
  return atBuilder('saltcorn', argsIn, env, async ({ url, home }) => {
    await fillNative(home, configuration);
    const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    const at = (path: (rows: Rows) => string) => ({
      plugin: url + path('plugin'),
      native: url + path('native'),
    });
    const list = await compare(
      agent,
      at((rows) => `/view/${tablesOf[rows][0]}`),
      20,
      effort,
    );
    const three = at((rows) => `/page/${rows}?status=completed`);
    const page = await compare(agent, three, 60, effort);
    agent.destroy();
    return { list, page };
  });
}
