import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { install_pack } from '@saltcorn/admin-models/models/pack';
import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Crash from '@saltcorn/data/models/crash';
import { escapeHtml } from '@saltcorn/data/utils';
import { definitions, fewNames, TelephonyError } from '../../../src/builder.ts';
import type { ActionResult } from '../action/action-result.ts';
import { asOneClick } from '../action/one-click.ts';
import type { JsonResponse } from '../action/visitor.ts';
import { administrator } from '../settings/minimum-role.ts';
import { say, translated } from '../translated.ts';
import { deskFile } from './desk-file.ts';
import { addAll, isHalfAdded, removeHalfAdded } from './half-added.ts';
import { type Pack, takenNames } from './taken-names.ts';

const url = `/${definitions.manifest.id}/install-desk`;

const readPack = async (): Promise<Pack> =>
  JSON.parse(await readFile(join(__dirname, deskFile), 'utf8'));

interface Request {
  user?: { role_id: number };
  flash(type: string, html: string): void;
}

const failure = (text: string, values?: Record<string, string>): ActionResult => ({
  error: escapeHtml(translated(text, values)),
});

/** Says which names are taken. */
function taken(names: string[]): ActionResult {
  return failure(
    'Nothing was added, because these exist already: {{names}}. Rename or delete them first.',
    { names: say(fewNames({ who: names })) },
  );
}

/** Installs the pack or, if any of its names is taken, nothing. */
async function install(request: Request): Promise<ActionResult> {
  const pack = await readPack();
  const { pages } = pack;
  try {
    await removeHalfAdded(pack);
    const names = await takenNames(pack);
    if (names.length > 0) return taken(names);
    await addAll(pack, () => install_pack(pack, definitions.manifest.id, async () => {}));
  } catch (error) {
    await Crash.create(error as Error, { url, headers: {} });
    return (await isHalfAdded())
      ? failure(
          'Saltcorn could not add all pages. The crash log says why. Press the button again: it first removes what was added.',
        )
      : failure('Saltcorn could not add the pages, so nothing was added. The crash log says why.');
  } finally {
    await getState().refresh(false);
  }
  const labels = pages.flatMap(({ menu_label: label }) => label ?? []).join(', ');
  const added = translated('Added to the menu, for administrators only: {{labels}}.', { labels });
  request.flash('success', escapeHtml(added));
  return { goto: `/page/${pages[0]?.name}` };
}

/** Installs the pack once, however often the button is clicked. */
async function installOnce(request: Request): Promise<ActionResult> {
  try {
    return await asOneClick(['install desk'], () => install(request));
  } catch (error) {
    // The process that handled an earlier click has ended.
    if (!(error instanceof TelephonyError)) throw error;
    return failure('Saltcorn stopped while it added the pages. Press the button again.');
  }
}

/** The button that installs the telephony pages; none once all are installed. */
export async function deskButton() {
  const [first] = (await readPack()).pages;
  const isAdded = await db.selectMaybeOne('_sc_pages', { name: first?.name });
  if (isAdded && !(await isHalfAdded())) return [];
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
  callback: async (request: Request, response: JsonResponse) => {
    if (request.user?.role_id === administrator) response.json(await installOnce(request));
    else response.status(403).json(failure('Only administrators can add pages.'));
  },
};
