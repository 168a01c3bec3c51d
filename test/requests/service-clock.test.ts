import { ServiceClock } from '../../src/wire/service-clock.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const at = (seconds: number) => new Date(noon + seconds * 1_000).toUTCString();

type Lesson = [date: unknown, sent: number, received: number];

/** Between which instants it was at 0 on the clock of this machine, after noon; what another server says may be a second off. */
function spanAfter(lessons: Lesson[]) {
  const clock = new ServiceClock();
  for (const lesson of lessons) clock.learn(...lesson);
  const span = clock.at(0);
  return span && [span.earliest - noon, span.latest - noon - 1_000];
}

const cases: [name: string, lessons: Lesson[], span: [number, number] | undefined][] = [
  ['no answer', [], undefined],
  ['no date', [[undefined, 0, 0]], undefined],
  ['a date that is none', [['soon', 0, 0]], undefined],
  ['a number', [[noon, 0, 0]], undefined],
  ['an answer at once', [[at(0), 0, 0]], [0, 1_000]],
  ['an answer that took its time', [[at(0), 100, 700]], [-700, 900]],
  [
    'answers that say it more exactly',
    [
      [at(0), 100, 700],
      [at(0), 300, 400],
    ],
    [-400, 700],
  ],
  [
    'answers that say less',
    [
      [at(0), 300, 400],
      [at(0), 100, 700],
    ],
    [-400, 700],
  ],
  [
    'answers of one second and the next',
    [
      [at(0), 0, 900],
      [at(1), 950, 960],
    ],
    [40, 1_000],
  ],
  [
    'no date after one',
    [
      [at(0), 0, 0],
      ['soon', 0, 0],
    ],
    [0, 1_000],
  ],
  [
    'a server a second behind',
    [
      [at(2), 0, 0],
      [at(0), 0, 0],
    ],
    [2_000, 1_000],
  ],
  [
    'a server a second ahead',
    [
      [at(0), 0, 0],
      [at(2), 0, 0],
    ],
    [2_000, 1_000],
  ],
  [
    'a clock that was set back',
    [
      [at(3), 0, 0],
      [at(0), 0, 0],
    ],
    [0, 1_000],
  ],
  [
    'a clock that was set forward',
    [
      [at(0), 0, 0],
      [at(3), 0, 0],
    ],
    [3_000, 4_000],
  ],
];

test.each(cases)('what time it is at the service after %s', (_, lessons, span) => {
  expect(spanAfter(lessons)).toEqual(span);
});

test('the clock goes on', () => {
  const clock = new ServiceClock();
  clock.learn(at(0), 0, 0);
  expect(clock.at(5_000)).toEqual({ earliest: noon + 5_000, latest: noon + 7_000 });
});

test('a clock that was set says nothing of what was before', () => {
  const clock = new ServiceClock();
  clock.learn(at(10), 10_000, 10_000);
  clock.learn(at(3_612), 12_000, 12_000);
  const spans = [0, 10_000, 11_999, 12_000].map((moment) => clock.at(moment)?.earliest);
  expect(spans).toEqual([undefined, undefined, undefined, noon + 3_612_000]);
});

test('the first answer says what time it was before', () => {
  const clock = new ServiceClock();
  clock.learn(at(10), 10_000, 10_000);
  expect(clock.at(0)?.earliest).toBe(noon);
});
