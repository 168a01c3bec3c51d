import { recordShape } from '../../../../src/index.ts';
import type { Translate } from '../host.ts';

/** How NocoBase wants the parts of a variable to be called. */
export interface VariableOptions {
  fieldNames?: { value?: string; label?: string; children?: string };
}

/**
 * Something whose values the nodes that follow can use.
 *
 * @param shape of which record it is; none if it has no values of its own
 */
export function recordVariable(
  t: Translate,
  { key, title }: { key: string; title: string },
  shape: string | undefined,
  { fieldNames = {} }: VariableOptions = {},
) {
  const { value = 'value', label = 'label', children = 'children' } = fieldNames;
  const fields = shape === undefined ? [] : recordShape(shape).fields;
  return {
    [value]: key,
    [label]: title,
    [children]:
      shape === undefined
        ? null
        : fields.map((field) => ({ [value]: field.key, [label]: t(field.label) })),
  };
}
