import type { FieldType } from '../../src/builder.ts';

/** Saltcorn's own types, by the values that a field holds. */
export const saltcornTypes: Record<FieldType['holds'], string> = {
  text: 'String',
  integer: 'Integer',
  number: 'Float',
  date: 'Date',
};
