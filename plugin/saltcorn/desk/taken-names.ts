import db from '@saltcorn/data/db';
import { translated } from '../translated.ts';

interface Part {
  name: string;
}

/** The pack of telephony pages. */
export interface Pack {
  tables: (Part & { provider_name?: string })[];
  views: Part[];
  pages: (Part & { menu_label?: string })[];
  triggers: Part[];
}

const kinds = [
  ['tables', 'table “{{name}}”', '_sc_tables'],
  ['views', 'view “{{name}}”', '_sc_views'],
  ['pages', 'page “{{name}}”', '_sc_pages'],
  ['triggers', 'trigger “{{name}}”', '_sc_triggers'],
] as const;

/** The name of a table in the database. On SQLite, upper and lower case are the same. */
const storedName = (name: string) =>
  db.isSQLite ? db.sqlsanitize(name).toLowerCase() : db.sqlsanitize(name);

/** The tables in the database that have the stored name of one of the pack, under another name in Saltcorn or none. */
async function takenTables({ tables }: Pack): Promise<string[]> {
  const own = tables.filter((table) => !table.provider_name);
  const wanted = new Set(own.map(({ name }) => storedName(name)));
  const known = (await db.select('_sc_tables', {})).map(({ name }) => String(name));
  const stored = (await db.listTables()).map(({ name }) => name);
  return stored
    .filter((name) => wanted.has(storedName(name)))
    .map((name) => known.find((one) => storedName(one) === storedName(name)) ?? name);
}

/** The parts of the pack whose names are taken. Installing them would overwrite the user's own. */
export async function takenNames(pack: Pack): Promise<string[]> {
  const taken = kinds.map(async ([key, text, stored]) => {
    const names = pack[key].map(({ name }) => name);
    const rows = (await db.select(stored, { name: { in: names } })).map(({ name }) => String(name));
    const more = key === 'tables' ? await takenTables(pack) : [];
    return [...new Set([...rows, ...more])].map((name) => translated(text, { name }));
  });
  return (await Promise.all(taken)).flat();
}
