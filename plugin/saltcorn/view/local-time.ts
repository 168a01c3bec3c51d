import { genericElement } from '@saltcorn/markup/tags';

/** A time, which Saltcorn's pages show in the user's language and time zone. */
export const localTime = (time: Date): string =>
  genericElement(
    'time',
    {
      datetime: time.toISOString(),
      'locale-options': encodeURIComponent(
        JSON.stringify({ dateStyle: 'medium', timeStyle: 'short' }),
      ),
    },
    time.toUTCString(),
  );
