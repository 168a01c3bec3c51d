import { dateFormatter } from '../../../plugin/nocobase/server/chart/format-date.ts';

const date = new Date('2026-03-01T00:30:05Z');

test.each([
  ['YYYY-MM-DD', 'UTC', '2026-03-01'],
  ['YYYY-MM-DD hh:mm:ss', 'UTC', '2026-03-01 00:30:05'],
  ['YYYY-MM-DD HH:mm', '+01:00', '2026-03-01 01:30'],
  ['YYYY-MM', '-03:30', '2026-02'],
  ['YYYY', '+0:00', '2026'],
  ['hh', '+14:00', '14'],
  ['YYYY-MM-DD hh', 'America/New_York', '2026-02-28 19'],
  ['DD.MM.YYYY', 'Asia/Kathmandu', '01.03.2026'],
  ['YYYY-MM-DD', '', '2026-03-01'],
  ['YYYY-MM-DD', 'Nowhere', '2026-03-01'],
])('a date as %s in %s is %s', (format, timeZone, text) => {
  expect(dateFormatter(timeZone)(date, format)).toBe(text);
});
