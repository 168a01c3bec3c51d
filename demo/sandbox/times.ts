const DAY = 86_400_000;

/**
 * Which dates a query asks for by a parameter: on a day as `StartTime=2026-11-30`, and from and until a midnight or another
 * moment as `StartTime>` and `StartTime<`. A day is one of UTC. What is no date asks for nothing, and a record without a
 * date fits no question.
 *
 * @param name of the parameter, without the sign
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
