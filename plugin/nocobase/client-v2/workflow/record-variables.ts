import { recordShape } from '../../../../src/builder.ts';
import type { Translate } from '../host.ts';

/** How NocoBase wants the parts of a variable to be called. */
export interface VariableOptions {
  fieldNames?: { value?: string; label?: string; children?: string };
}

const fileParts = [
  { key: 'url', label: 'URL' },
  { key: 'contentType', label: 'Content type' },
];

/**
 * Something whose values the nodes that follow can use.
 *
 * @param shape of which record it is; none if it has no values of its own
 * @param hasFiles whether it comes with a list of files
 */
export function recordVariable(
  t: Translate,
  { key, title }: { key: string; title: string },
  shape: string | undefined,
  { fieldNames = {} }: VariableOptions = {},
  hasFiles = false,
) {
  const { value = 'value', label = 'label', children = 'children' } = fieldNames;
  const fields = shape === undefined ? [] : recordShape(shape).fields;
  const variable = (one: { key: string; label: string }) => ({
    [value]: one.key,
    [label]: t(one.label),
  });
  const files = {
    ...variable({ key: 'media', label: 'Files' }),
    [children]: fileParts.map(variable),
  };
  return {
    [value]: key,
    [label]: title,
    [children]:
      shape === undefined ? null : [...fields.map(variable), ...(hasFiles ? [files] : [])],
  };
}
