import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const usual = 5;
const maximum = 300;

/** The setting that these functions use. */
interface Freshness {
  freshSeconds?: number;
}

/** The setting for how long lists are cached. */
export const freshSecondsField = (): FormField => ({
  name: 'freshSeconds',
  label: translated('Cache seconds'),
  sublabel: translated(
    'Lists are cached for this many seconds, from 0 (no cache) to {{maximum}}.',
    {
      maximum,
    },
  ),
  type: 'Integer',
  required: false,
  default: usual,
  attributes: { min: 0, max: maximum },
});

/** How long lists are cached, in milliseconds. */
export function freshFor({ freshSeconds }: Freshness): number {
  const seconds = Number(freshSeconds ?? Number.NaN);
  return (seconds >= 0 && seconds <= maximum ? seconds : usual) * 1000;
}
