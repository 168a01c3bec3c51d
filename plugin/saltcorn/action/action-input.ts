import { interpolate } from '@saltcorn/data/utils';
import { type Action, TelephonyError } from '../../../src/index.ts';
import type { ClickRequest } from '../settings/minimum-role.ts';
import type { Row } from '../where/where.ts';

/** What Saltcorn runs an action with. */
export interface RunArguments {
  row?: Row;
  user?: { id?: number };
  /** The fields of the action, as they were filled in in the builder. */
  configuration?: Row;
  req?: ClickRequest;
  /** The address of the page where someone clicked. */
  referrer?: string;
  mode?: 'workflow';
}

// `{{ name }}` escapes for HTML in Saltcorn, which a message must not carry; `{{! name }}` does not. Browsers
// send the line breaks that were typed into a form as two characters.
const fill = (template: unknown, { row, user }: RunArguments, label: string) =>
  typeof template === 'string'
    ? interpolate(template.replace(/\{\{[!=]?/g, '{{!'), row, user, label).replaceAll('\r\n', '\n')
    : template;

/**
 * The input of an action: its fields with the row's values filled in.
 *
 * @throws {TelephonyError} when a field asks for a value that the row does not have
 */
export function inputOf({ fields, name }: Action, run: RunArguments): Row {
  try {
    const values = fields.map(({ key, label }) => [
      key,
      fill(run.configuration?.[key], run, label),
    ]);
    return Object.fromEntries(values);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    throw new TelephonyError('input', `A field of “${name}” cannot be filled in: ${reason}`);
  }
}
