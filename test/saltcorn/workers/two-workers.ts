import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { startPostgres } from '../../support/start-postgres.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { startSaltcornServer } from '../saltcorn-server.ts';
import { Visitor } from './visitor.ts';

interface Content {
  pack: unknown;
  customers: unknown;
  /** Further settings of the plugin. */
  settings?: object;
}

/** Starts Saltcorn with two workers on PostgreSQL, with a sandbox in the module's settings. */
export async function startTwoWorkers(sandbox: Sandbox, { pack, customers, settings }: Content) {
  const folder = temporaryFolder('workers');
  const write = (name: string, content: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(content));
    return join(folder, name);
  };
  const { username, password, url: baseUrl } = sandbox;
  const database = await startPostgres();
  const saltcorn = await startSaltcornServer({
    plugin: join(root, 'dist/saltcorn'),
    pack: write('pack.json', pack),
    customers: write('customers.json', customers),
    configuration: { username, password, baseUrl, ...settings },
    database,
    workers: 2,
    preload: join(__dirname, 'name-worker.mjs'),
  });
  const boss = new Visitor(saltcorn.url);
  const workers = (await boss.workers(2)) as [one: number, other: number];
  return { saltcorn, boss, workers, database };
}
