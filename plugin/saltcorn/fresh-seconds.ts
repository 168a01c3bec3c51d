import type { Configuration } from './account.ts';
import type { FormField } from './form-field.ts';

const usual = 5;
const maximum = 300;

/** The setting of how long what was read is shown again. */
export const freshSecondsField: FormField = {
  name: 'freshSeconds',
  label: 'Seconds to show again',
  sublabel: `For how many seconds what was read is shown again without asking the service, at most ${maximum}. With 0 the service is asked every time.`,
  type: 'Integer',
  required: false,
  default: usual,
  attributes: { min: 0, max: maximum },
};

/** Whether it has another value than it has by itself. */
export const isFreshSecondsSet = (configuration: Configuration) =>
  freshFor(configuration) !== usual * 1000;

/** How long what was read is shown again, in milliseconds. */
export function freshFor({ freshSeconds }: Configuration): number {
  const seconds = Number(freshSeconds ?? Number.NaN);
  return (seconds >= 0 && seconds <= maximum ? seconds : usual) * 1000;
}
