import type { Field } from '../../generated/definition-types.ts';

/** Whose language and time zone a time is written in; that of the process if not given, or if it doesn't exist. */
export interface TimeReader {
  locale?: string | undefined;
  timeZone?: string | undefined;
}

const style = { dateStyle: 'medium', timeStyle: 'short' } as const;

function formatFor({ locale, timeZone }: TimeReader): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...style, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', style);
  }
}

/** Writes a time for a person. */
export type WriteTime = (time: Date) => string;

/** Returns a function that writes times for a person: `Nov 28, 2026, 10:00 AM`. A server in UTC is rarely where its people are, so it says so. */
export function timeWriter(reader: TimeReader = {}): WriteTime {
  const format = formatFor(reader);
  const zone = /^(Etc\/)?(UTC|GMT)$/.test(format.resolvedOptions().timeZone) ? ' UTC' : '';
  // The narrow space before AM would make each SMS one of Unicode, which costs twice as much.
  return (time) => `${format.format(time).replace(/\p{Zs}/gu, ' ')}${zone}`;
}

/** A time that stands alone, and what follows the scheme of a URL: a time in a link, a code, a file name or JSON is for a program. */
const isoTime =
  /:\/\/[!-~]+|(?<![\w"/=&.@#%+~-])(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)(?![.:]?\w|["/=&@#%+~-])/g;

/** Whether a calendar has a time: `Date` takes February 31 for a day of March. */
const exists = (time: string) =>
  String(new Date(time).toJSON()).startsWith(time.slice(0, 'YYYY-MM-DDTHH:MM'.length));

/**
 * Writes the times in the texts of an input as people read them. Other fields, such as a time to send at, stay as they are.
 *
 * @param input what variables became
 * @param typed what was configured: times in it stay as someone typed them
 */
export function withReadableTimes<Input extends Record<string, unknown>>(
  { fields }: { fields: readonly Pick<Field, 'type' | 'key'>[] },
  input: Input,
  write: WriteTime,
  typed: Record<string, unknown> = {},
): Input {
  const texts = fields.filter(({ type, key }) => type === 'text' && input[key] !== undefined);
  const written = texts.map(({ key }) => {
    const { [key]: value } = input;
    if (value instanceof Date) return [key, write(value)];
    if (typeof value !== 'string') return [key, value];
    const own = JSON.stringify(typed[key] ?? '');
    const isRead = (time?: string) => time !== undefined && !own.includes(time) && exists(time);
    return [
      key,
      value.replace(isoTime, (all, time) => (isRead(time) ? write(new Date(time)) : all)),
    ];
  });
  return { ...input, ...Object.fromEntries(written) };
}
