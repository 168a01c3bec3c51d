import { operations, timeWriter, withReadableTimes } from '../../src/builder.ts';

const [operation] = operations.filter(({ id }) => id === 'send-a-message');
if (!operation) throw new Error('The action of the tests is gone.');
const { fields } = operation;
const time = new Date('2026-11-28T09:00:00.000Z');
const noon = new Date('2026-07-01T10:00:00.000Z');

test.each([
  ['en-US', 'Europe/Berlin', time, 'Nov 28, 2026, 10:00 AM'],
  ['de-DE', 'Europe/Berlin', time, '28.11.2026, 10:00'],
  // In summer, an hour more.
  ['de-DE', 'Europe/Berlin', noon, '01.07.2026, 12:00'],
  ['zh-CN', 'Asia/Shanghai', time, '2026年11月28日 17:00'],
  ['en-US', 'UTC', time, 'Nov 28, 2026, 9:00 AM UTC'],
])('in %s and %s, %p is %p', (locale, timeZone, at, text) => {
  expect(timeWriter({ locale, timeZone })(at)).toBe(text);
});

test.each([
  { locale: 'en-US', timeZone: 'Mars/Base' },
  { locale: '?', timeZone: 'Europe/Berlin' },
])('%p writes times as the process does', (reader) => {
  expect(timeWriter(reader)(time)).toBe(timeWriter({ locale: 'en-US' })(time));
});

const write = timeWriter({ locale: 'en-US', timeZone: 'Europe/Berlin' });
const iso = time.toISOString();

test.each<[what: string, value: unknown, typed: string, text: unknown]>([
  ['a time in a text', `At ${iso}.`, 'At {{ date }}.', 'At Nov 28, 2026, 10:00 AM.'],
  ['a time that is the whole text', time, '{{ date }}', 'Nov 28, 2026, 10:00 AM'],
  ['a typed time', `At ${iso}.`, `At ${iso}.`, `At ${iso}.`],
  ['a day', 'On 2026-11-28.', '{{ day }}', 'On 2026-11-28.'],
  ['a time between Chinese', `在${iso}见`, '在{{ date }}见', '在Nov 28, 2026, 10:00 AM见'],
  [
    'two times',
    `${iso}, ${iso}`,
    '{{ a }}, {{ b }}',
    'Nov 28, 2026, 10:00 AM, Nov 28, 2026, 10:00 AM',
  ],
  ...[
    ...['At 2026-99-28T09:00:00Z.', 'At 2026-02-31T09:00:00Z.', 'At 2026-11-28T24:00:00Z.'],
    ...[`https://example.com/?days=${iso},${iso}`, `example.com/visits?at=${iso}&by=1`],
    ...[`ORDER-${iso}`, `${iso}-7`, `${iso}.pdf`, `${iso}x`, `{"at":"${iso}"}`],
  ].map((text): [string, string, string, string] => [
    `no time to read: ${text}`,
    text,
    '{{ text }}',
    text,
  ]),
  ['a number', 12, '{{ number }}', 12],
])('%s becomes what people read, or stays', (_, body, typed, text) => {
  const read = withReadableTimes({ fields }, { body, sendAt: iso }, write, { body: typed });
  expect(read).toEqual({ body: text, sendAt: iso });
});
