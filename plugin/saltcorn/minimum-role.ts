import User from '@saltcorn/data/models/user';
import type { FormField } from './form-field.ts';

/** Saltcorn's numbers: the smaller the mightier. */
const administrator = 1;
const visitor = 100;

/** The request of someone who clicked. A trigger runs actions without one, as its owner chose. */
export interface ClickRequest {
  user?: { role_id: number };
}

const key = 'minimumRole';

/** The setting of who may run actions by clicking. A new button of Saltcorn's can be clicked by everyone. */
export async function minimumRoleField(): Promise<FormField> {
  const roles = await User.get_roles();
  return {
    name: key,
    label: 'Who may run actions',
    sublabel:
      'Nobody below this role can run an action of this plugin, whatever the minimum role of a button is.',
    input_type: 'select',
    options: roles.map(({ id, role }) => ({ value: String(id), label: role })),
    default: String(administrator),
    required: true,
    attributes: {},
  };
}

/**
 * Whether someone may run an action.
 *
 * @param settings the plugin's settings
 * @param request who clicked
 */
export function mayRun(settings: object, request: ClickRequest | undefined): boolean {
  const minimum = Number(new Map(Object.entries(settings)).get(key) ?? administrator);
  return !request || (request.user?.role_id ?? visitor) <= minimum;
}
