const hourMs = 3_600_000;

/** Returns a function that writes the time in a time zone that has a name. */
function namedZone(timeZone: string): (date: Date) => string {
  try {
    // In NocoBase, `toLocaleString` ignores its arguments.
    const style = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const;
    const formatter = new Intl.DateTimeFormat('sv-SE', style);
    return (date) => formatter.format(date);
  } catch {
    return (date) => date.toISOString();
  }
}

/** Returns a function that writes the time in a time zone, as `2026-11-20 15:42:00`. */
function wallTime(timeZone: string): (date: Date) => string {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d\d)$/.exec(timeZone) ?? [];
  if (sign === undefined) return namedZone(timeZone);
  const offset = (Number(hours) + Number(minutes) / 60) * (sign === '-' ? -hourMs : hourMs);
  return (date) => new Date(date.getTime() + offset).toISOString();
}

/**
 * Returns a function that formats dates as NocoBase's database does: with `YYYY`, `MM`, `DD`, `hh` or `HH` (0 to 23),
 * `mm` and `ss`.
 *
 * @param timeZone a name, or an offset such as `+02:00`; UTC if it is unknown
 */
export function dateFormatter(timeZone: string): (date: Date, format: string) => string {
  const timeOf = wallTime(timeZone);
  // Several dimensions can show the same date, and converting it to a time zone takes the longest.
  const known = new Map<number, Record<string, string>>();

  function partsOf(date: Date): Record<string, string> {
    const [year = '', month = '', day = '', hour = '', minute = '', second = ''] =
      timeOf(date).match(/\d+/g) ?? [];
    return { YYYY: year, MM: month, DD: day, hh: hour, HH: hour, mm: minute, ss: second };
  }

  return (date, format) => {
    const parts = known.get(date.getTime()) ?? partsOf(date);
    known.set(date.getTime(), parts);
    return format.replace(/YYYY|MM|DD|hh|HH|mm|ss/g, (token) => parts[token] ?? token);
  };
}
