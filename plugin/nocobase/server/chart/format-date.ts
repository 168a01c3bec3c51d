const hourMs = 3_600_000;

function timeInZone(date: Date, timeZone: string): string {
  try {
    // In NocoBase, `toLocaleString` ignores its arguments.
    const style = { dateStyle: 'short', timeStyle: 'medium', timeZone } as const;
    return new Intl.DateTimeFormat('sv-SE', style).format(date);
  } catch {
    return date.toISOString();
  }
}

/** The time in a time zone, as `2026-11-20 15:42:00`. */
function wallTime(date: Date, timeZone: string): string {
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d\d)$/.exec(timeZone) ?? [];
  if (sign === undefined) return timeInZone(date, timeZone);
  const offset = (Number(hours) + Number(minutes) / 60) * hourMs;
  return new Date(date.getTime() + (sign === '-' ? -offset : offset)).toISOString();
}

/**
 * Formats a date as NocoBase's database does.
 *
 * @param format with `YYYY`, `MM`, `DD`, `hh` or `HH` (0 to 23), `mm` and `ss`
 * @param timeZone a name, or an offset such as `+02:00`; UTC if it is unknown
 */
export function formatDate(date: Date, format: string, timeZone: string): string {
  const [year = '', month = '', day = '', hour = '', minute = '', second = ''] =
    wallTime(date, timeZone).match(/\d+/g) ?? [];
  const parts: Record<string, string> = {
    ...{ YYYY: year, MM: month, DD: day },
    ...{ hh: hour, HH: hour, mm: minute, ss: second },
  };
  return format.replace(/YYYY|MM|DD|hh|HH|mm|ss/g, (token) => parts[token] ?? token);
}
