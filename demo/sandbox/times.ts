const DAY = 86_400_000;

/**
 * Reads a query's filter by date: a day in UTC as `StartTime=2026-11-30`, and the limits `StartTime>` and `StartTime<`, both
 * inclusive. Ignores values that are not dates. A record without a date matches no filter.
 *
 * @param name the parameter's name, without the sign
 */
export function timesOf(query: URLSearchParams, name: string): (date: string | null) => boolean {
  const [on, from, until] = ['', '>', '<'].map((sign) => Date.parse(query.get(name + sign) ?? ''));
  const tests = [
    [on, (time: number, day: number) => Math.floor(time / DAY) === Math.floor(day / DAY)],
    [from, (time: number, first: number) => time >= first],
    [until, (time: number, last: number) => time <= last],
  ] as const;
  const asked = tests.filter(([bound]) => !Number.isNaN(bound));
  return (date) =>
    asked.every(([bound = 0, fits]) => date !== null && fits(Date.parse(date), bound));
}
