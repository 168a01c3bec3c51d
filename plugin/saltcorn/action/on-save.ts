import { isBlank, TelephonyError } from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { sayError } from '../translated.ts';
import { withoutTags } from './action-result.ts';

/**
 * Checks a field when Saltcorn saves the form of a trigger or a workflow step, so that it doesn't fail only when it runs. Saltcorn's builder
 * of views and its multi-step actions save without checks. A trigger saves each field as it is left, so what needs several fields isn't
 * checked.
 *
 * @param check throws as running would
 */
export const onSave = (
  check: (typed: unknown) => unknown,
): Required<Pick<FormField, 'validator'>> => ({
  validator: (typed) => {
    try {
      if (!isBlank(typed)) check(typed);
      return true;
    } catch (error) {
      if (!(error instanceof TelephonyError)) throw error;
      return withoutTags(sayError(error));
    }
  },
});
