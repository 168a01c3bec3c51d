import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

const usual = 5;
const maximum = 300;

/** What of the plugin's settings it is about. */
interface Freshness {
  freshSeconds?: number;
}

/** The setting of how long what was read is shown again. */
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

/** How long what was read is shown again, in milliseconds. */
export function freshFor({ freshSeconds }: Freshness): number {
  const seconds = Number(freshSeconds ?? Number.NaN);
  return (seconds >= 0 && seconds <= maximum ? seconds : usual) * 1000;
}
