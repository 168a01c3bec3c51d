import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const usual = 1_000;
const maximum = 20_000;

/** The setting that these functions use. */
interface Limited {
  readLimit?: number;
}

/** The setting for how many records to read if the service can't filter or sort them. */
export const readLimitField = (): FormField => ({
  name: 'readLimit',
  label: translated('Records to search'),
  sublabel: translated(
    'The plugin sorts, searches, counts and filters this many of the newest records: {{usual}} to {{maximum}}. Each 1,000 take one request. Pages say when there are more.',
    { usual, maximum },
  ),
  type: 'Integer',
  required: false,
  default: usual,
  attributes: { min: usual, max: maximum },
});

/** How many of the newest records to read. */
export function readLimitOf({ readLimit }: Limited): number {
  const limit = Number(readLimit ?? Number.NaN);
  return Number.isInteger(limit) && limit >= usual && limit <= maximum ? limit : usual;
}
