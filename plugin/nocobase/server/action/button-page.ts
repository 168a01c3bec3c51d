import { sentence } from '../../../../src/builder.ts';
import type { Application, Context } from '../nocobase.ts';
import { textOf } from '../text-of.ts';
import { Forbidden } from './rights.ts';

/**
 * Checks that a user's roles can open the page that a button is on. A button in a popup template is on no page.
 *
 * @param uid the button's uid
 * @throws {Forbidden} if the page, or its tab, is hidden from them
 */
export async function assertPageShown(
  { db }: Pick<Application, 'db'>,
  uid: unknown,
  { state }: Pick<Context, 'state'>,
): Promise<void> {
  const paths = await db
    .getRepository('flowModelTreePath')
    .find({ filter: { descendant: textOf(uid) } });
  const ancestors = paths.map((path) => textOf(path.get('ancestor')));
  const routes = await db
    .getRepository('desktopRoutes')
    .find({ filter: { schemaUid: { $in: ancestors } } });
  const roles = await db
    .getRepository('roles')
    .find({ filter: { name: { $in: state.currentRoles ?? [] } }, appends: ['desktopRoutes'] });
  const shown = new Set(
    roles.flatMap((role) =>
      [role.get('desktopRoutes') ?? []].flat().map((route) => String(Object(route).id)),
    ),
  );
  const needed = routes.flatMap((route) => [route.get('id'), route.get('parentId') ?? []].flat());
  if (!needed.every((id) => shown.has(String(id))))
    throw new Forbidden(
      sentence('This button is on a page that is hidden from your role. Nothing was sent.'),
    );
}
