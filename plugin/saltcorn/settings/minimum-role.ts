import User from '@saltcorn/data/models/user';
import { type Action, sentence, TelephonyError } from '../../../src/builder.ts';
import type { Configuration } from '../account/account.ts';
import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';
import { location } from './location.ts';

/** In Saltcorn, a smaller number means more rights. */
export const administrator = 1;
export const visitor = 100;

/** The request of a click. Triggers run actions without one, as their owner chose. */
export interface ClickRequest {
  user?: { role_id: number };
}

type Placed = Pick<Configuration, 'minimumRole'>;

/** The setting for who may run actions with a click. By default, everyone can click a new button in Saltcorn. */
export async function minimumRoleField({ minimumRole }: Placed): Promise<FormField> {
  const warning =
    Number(minimumRole) >= visitor
      ? `<strong class="text-danger">${translated('Anyone on the internet can now press your buttons, which can cost you money.')}</strong>`
      : '';
  const roles = await User.get_roles();
  return {
    name: 'minimumRole',
    label: translated('Minimum role'),
    sublabel: [
      translated(
        "The lowest role that may run this module's actions. A button can require a higher role, but not allow a lower one.",
      ),
      warning,
    ]
      .filter(Boolean)
      .join(' '),
    input_type: 'select',
    options: roles.map(({ id, role }) => ({ value: String(id), label: role })),
    default: String(administrator),
    required: true,
    attributes: {},
  };
}

/** Whether the user's role may run actions. */
export const mayRun = (
  { minimumRole = String(administrator) }: Placed,
  { user }: ClickRequest,
): boolean => (user?.role_id ?? visitor) <= Number(minimumRole);

/**
 * Checks that the user may run an action.
 *
 * @param action the action
 * @param configuration the module's settings
 * @param request the request of the click
 * @throws {TelephonyError} that says who can allow it
 */
export function assertMayRun(
  { name }: Pick<Action, 'name'>,
  configuration: Configuration,
  request: ClickRequest | undefined,
) {
  if (!request || mayRun(configuration, request)) return;
  throw new TelephonyError(
    'input',
    sentence('You may not run “{name}”. An administrator can allow it in {settings}.', {
      ...{ name: { text: name }, settings: location },
    }),
  );
}
