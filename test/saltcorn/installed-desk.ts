import customers from '../../demo/customers.json';
import pack from '../../demo/saltcorn/desk.json';
import { findTable, installPack } from './app.ts';

/** The pages and views of the demo's desk. */
export const deskPaths = [
  '/',
  ...pack.pages.map(({ name }) => `/page/${encodeURIComponent(name)}`),
  ...pack.views.map(({ name }) => `/view/${encodeURIComponent(name)}`),
];

/** Installs the demo's desk in the Saltcorn of this process, like `demo/saltcorn/serve.ts`. */
export async function installDesk(rows: object[] = customers) {
  await installPack(pack);
  for (const row of rows) await findTable('Customers').insertRow(row);
}
