import { dayIn, TelephonyError } from '../../src/index.ts';
import { errorOf, parts } from './errors.ts';
import { accountPath, answerWith, isolate, telephony } from './service.ts';

isolate();

const noon = '2026-11-30T12:00:00Z';

const days: [what: string, zone: string, days: number, now: string, from: string, until: string][] =
  [
    ['today in UTC', 'UTC', 0, noon, '2026-11-30T00:00:00Z', '2026-11-30T23:59:59Z'],
    [
      ...(['yesterday east of Greenwich', 'Europe/Berlin', -1, noon] as const),
      ...(['2026-11-28T23:00:00Z', '2026-11-29T22:59:59Z'] as const),
    ],
    [
      ...(['yesterday where today is still the 29th', 'America/Los_Angeles', -1] as const),
      ...(['2026-11-30T05:00:00Z', '2026-11-28T08:00:00Z', '2026-11-29T07:59:59Z'] as const),
    ],
    [
      ...(['tomorrow furthest east', 'Pacific/Kiritimati', 1, noon] as const),
      ...(['2026-12-01T10:00:00Z', '2026-12-02T09:59:59Z'] as const),
    ],
    [
      ...(['today furthest west', 'Pacific/Pago_Pago', 0, '2026-11-30T10:59:59Z'] as const),
      ...(['2026-11-29T11:00:00Z', '2026-11-30T10:59:59Z'] as const),
    ],
    [
      ...(['a zone with minutes', 'Asia/Kathmandu', 0, noon] as const),
      ...(['2026-11-29T18:15:00Z', '2026-11-30T18:14:59Z'] as const),
    ],
    [
      ...(['a day of 23 hours', 'Europe/Berlin', -1, '2026-03-30T08:00:00Z'] as const),
      ...(['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'] as const),
    ],
    [
      ...(['a day of 25 hours', 'Europe/Berlin', -1, '2026-10-26T08:00:00Z'] as const),
      ...(['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'] as const),
    ],
    [
      ...(['a day that begins at one', 'Africa/Cairo', 0, '2026-04-24T12:00:00Z'] as const),
      ...(['2026-04-23T22:00:00Z', '2026-04-24T20:59:59Z'] as const),
    ],
    [
      ...(['a day with two midnights', 'America/Havana', 0, '2026-11-01T12:00:00Z'] as const),
      ...(['2026-11-01T04:00:00Z', '2026-11-02T04:59:59Z'] as const),
    ],
    [
      ...(['the first day of a year', 'Asia/Tokyo', 1, '2026-12-31T03:00:00Z'] as const),
      ...(['2026-12-31T15:00:00Z', '2027-01-01T14:59:59Z'] as const),
    ],
  ];

test.each(days)('%s has its first and last second', (_, zone, after, now, from, until) => {
  expect(dayIn(zone, after, new Date(now))).toEqual({
    from: new Date(from),
    until: new Date(until),
  });
});

test('a list takes a day as its period', async () => {
  const sent = answerWith([{ status: 200, body: { calls: [] } }]);
  const { from, until } = dayIn('Europe/Berlin', -1, new Date(noon));
  const period = { startTimeAfter: from, startTimeBefore: until };
  await telephony().run('calls-by-number-and-date', period);
  expect(sent.map(({ path }) => decodeURIComponent(path))).toEqual([
    `${accountPath}/Calls.json?StartTime>=2026-11-28T23:00:00Z&StartTime<=2026-11-29T22:59:59Z`,
  ]);
});

const zoneOf = (name: string) =>
  `There is no time zone "${name}". Use a name such as Europe/Berlin.`;
const invalid: [args: unknown[], message: string][] = [
  [['Mars/Base'], zoneOf('Mars/Base')],
  [[''], zoneOf('')],
  [[undefined], zoneOf('undefined')],
  [['UTC', 0, null], 'The time must be a valid Date.'],
  [['UTC', 0, new Date('never')], 'The time must be a valid Date.'],
  ...[0.5, Number.NaN, '1', null, -100_001].map((days): (typeof invalid)[number] => [
    ['UTC', days],
    'The number of days must be a whole number up to 100,000.',
  ]),
];

test.each(invalid)('refuses %j', async (args, message) => {
  const take = async () => Reflect.apply(dayIn, undefined, args);
  const error = await errorOf(take());
  expect(error).toBeInstanceOf(TelephonyError);
  expect(parts(error)).toEqual({ code: 'input', message });
});
