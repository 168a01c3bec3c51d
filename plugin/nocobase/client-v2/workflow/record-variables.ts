import { recordShape } from '../../../../src/builder.ts';
import type { Translate } from '../host.ts';

/** The property names that NocoBase expects in a variable. */
export interface VariableOptions {
  fieldNames?: { value?: string; label?: string; children?: string };
}

const fileParts = [
  { key: 'url', label: 'URL' },
  { key: 'contentType', label: 'Content type' },
];

/**
 * Describes a result as a variable for later nodes.
 *
 * @param shape the record's shape; undefined if the result has no fields
 * @param hasFiles whether the record has a list of files
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
