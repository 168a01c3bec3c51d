import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openVisitor, type Visitor } from '../demo/nocobase/visitor.ts';
import type { BatchView } from '../src/builder.ts';
import type { Effort } from './effort.ts';
import { account, sms } from './records.ts';
import { atBuilder } from './start-builder.ts';

/** Milliseconds, one figure per round. */
export interface SelectedRowsFigures {
  /** The dialog of a button for selected rows: who gets which SMS. */
  plugin: number[];
  /** NocoBase's own list of these rows. */
  native: number[];
}

const count = 1000;
const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

const column = (name: string, title: string, kind: string) => ({ name, title, interface: kind });
const columns = [column('name', 'Name', 'input'), column('phone', 'Phone', 'phone')];
const desk = {
  tables: [{ name: 'customers', title: 'Customers', columns }],
  ...{ pages: [], workflows: [] },
};

/** Writes the table, and returns the arguments for a NocoBase with it. */
async function argsIn(home: string) {
  const deskFile = join(home, 'desk.json');
  await writeFile(deskFile, JSON.stringify(desk));
  const plugin = join(import.meta.dirname, '../dist/nocobase');
  return ['--admin', admin.email, '--plugin', plugin, '--desk', deskFile];
}

const customer = (_: unknown, index: number) => ({
  name: `Customer ${index}`,
  phone: `+1202555${String(index).padStart(4, '0')}`,
});

/** Opens the dialog for these rows, and deletes what it stored. */
async function dialogTime(visitor: Visitor, rows: unknown[]) {
  const input = {
    from: [sms.from],
    to: [{ column: 'phone' }],
    body: ['Dear ', { column: 'name' }],
  };
  const place = { dataSource: 'main', collection: 'customers' };
  const request = { action: 'send-sms', ...place, rows, input };
  const began = performance.now();
  const preview = (await visitor.request('telephonyRuns:preview', request)) as BatchView;
  const milliseconds = performance.now() - began;
  if (preview.counts.waiting !== rows.length)
    throw new Error(`Only ${preview.counts.waiting} SMS can be sent.`);
  await visitor.request('telephonyRuns:remove', { key: preview.key });
  return milliseconds;
}

/**
 * Measures how long NocoBase takes to open a button's dialog for 1,000 selected rows, and to list the same rows.
 *
 * @param service the service's URL
 */
export function measureSelectedRows(service: string, { rounds }: Effort) {
  const env = {
    ADMIN_PASSWORD: admin.password,
    PLUGIN_CONFIGURATION: JSON.stringify({ ...account, baseUrl: service }),
  };
  return atBuilder('nocobase', argsIn, env, async ({ url }) => {
    const visitor = await openVisitor(url, admin.email, admin.password);
    await visitor.request('customers:create', Array.from({ length: count }, customer));
    const list = () =>
      visitor.request(`customers:list?pageSize=${count}`) as Promise<{ id: number }[]>;
    const keys = (await list()).map(({ id }) => id);
    if (keys.length !== count) throw new Error(`NocoBase has ${keys.length} rows.`);
    const figures: SelectedRowsFigures = { plugin: [], native: [] };
    // The first round only warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const plugin = await dialogTime(visitor, keys);
      const began = performance.now();
      await list();
      if (round === 0) continue;
      figures.native.push(performance.now() - began);
      figures.plugin.push(plugin);
    }
    return figures;
  });
}
