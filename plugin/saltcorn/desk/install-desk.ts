import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install_pack } from '@saltcorn/admin-models/models/pack';
import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Crash from '@saltcorn/data/models/crash';
import { escapeHtml } from '@saltcorn/data/utils';
import { definitions, fewNames } from '../../../src/builder.ts';
import type { ActionResult } from '../action/action-result.ts';
import { asOneClick } from '../action/one-click.ts';
import { administrator } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import { deskFile } from './desk-file.ts';

const url = `/${definitions.manifest.id}/install-desk`;

interface Named {
  name: string;
}

interface Pack {
  tables: Named[];
  views: Named[];
  pages: (Named & { menu_label?: string })[];
  triggers: Named[];
}

const kinds = [
  ['tables', 'table', '_sc_tables'],
  ['views', 'view', '_sc_views'],
  ['pages', 'page', '_sc_pages'],
  ['triggers', 'trigger', '_sc_triggers'],
] as const;

const readPack = async (): Promise<Pack> =>
  JSON.parse(await readFile(join(__dirname, deskFile), 'utf8'));

/** The parts of the pack whose names are taken. Installing them would overwrite the user's own. */
async function takenNames(pack: Pack): Promise<string[]> {
  const taken = kinds.map(async ([key, kind, stored]) => {
    const names = pack[key].map(({ name }) => name);
    const rows = await db.select(stored, { name: { in: names } });
    return rows.map(({ name }) => `${kind} “${name}”`);
  });
  return (await Promise.all(taken)).flat();
}

interface Request {
  user?: { role_id: number };
  flash(type: string, html: string): void;
}

interface Response {
  status(code: number): Response;
  json(body: object): void;
}

// On SQLite, Saltcorn has no transactions. Deleting by name could delete what the user has created meanwhile.
const incomplete = `Saltcorn could not add all pages. The crash log says why. Delete the pages, views and tables that it added, whose names start with “${definitions.manifest.name}”, then try again.`;

/** Installs the pack or, if any of its names is taken, nothing. */
async function install(request: Request): Promise<ActionResult> {
  const pack = await readPack();
  const { pages } = pack;
  const taken = await takenNames(pack);
  if (taken.length > 0)
    return {
      error: escapeHtml(
        `Nothing was added, because these exist already: ${fewNames(taken)}. Rename or delete them first.`,
      ),
    };
  try {
    await db.withTransaction(() => install_pack(pack, definitions.manifest.id, async () => {}));
  } catch (error) {
    await Crash.create(error as Error, { url, headers: {} });
    return { error: escapeHtml(incomplete) };
  } finally {
    await getState().refresh(false);
  }
  const labels = pages.flatMap(({ menu_label: label }) => label ?? []).join(', ');
  request.flash('success', escapeHtml(`Added to the menu, for administrators only: ${labels}.`));
  return { goto: `/page/${pages[0]?.name}` };
}

/** The button that installs the telephony pages; none once they are installed. */
export async function deskButton() {
  const [first] = (await readPack()).pages;
  if (await db.selectMaybeOne('_sc_pages', { name: first?.name })) return [];
  return [
    {
      label: translated('Add telephony pages'),
      id: 'install-desk',
      class: 'btn btn-outline-primary me-2',
      onclick: `this.disabled = true; ajax_post('${url}', { complete: () => { this.disabled = false; } })`,
    },
  ];
}

/** Installs the telephony pages. Only for administrators. */
export const deskRoute = {
  url,
  method: 'post',
  callback: async (request: Request, response: Response) => {
    if (request.user?.role_id === administrator)
      response.json(await asOneClick(['install desk'], () => install(request)));
    else response.status(403).json({ error: 'Only administrators can add pages.' });
  },
};
