import { ServiceClock } from '../../src/wire/service-clock.ts';

const noon = Date.UTC(2026, 10, 21, 12);
const at = (seconds: number) => new Date(noon + seconds * 1_000).toUTCString();

type Lesson = [date: string | undefined, sent: number, received: number];

/**
 * The earliest and latest service time at instant 0 of this machine's clock, in milliseconds after noon, without the
 * second by which another server's date may be off.
 */
function spanAfter(lessons: Lesson[]) {
  const clock = new ServiceClock();
  for (const lesson of lessons) clock.update(...lesson);
  const span = clock.at(0);
  return span && [span.earliest - noon, span.latest - noon - 1_000];
}

const cases: [name: string, lessons: Lesson[], span: [number, number] | undefined][] = [
  ['no answer', [], undefined],
  ['no date', [[undefined, 0, 0]], undefined],
  ['an invalid date', [['soon', 0, 0]], undefined],
  ['a date as a number', [[String(noon), 0, 0]], undefined],
  ['an immediate answer', [[at(0), 0, 0]], [0, 1_000]],
  ['a slow answer', [[at(0), 100, 700]], [-700, 900]],
  [
    'answers that narrow it down',
    [
      [at(0), 100, 700],
      [at(0), 300, 400],
    ],
    [-400, 700],
  ],
  [
    'a less exact answer after a more exact one',
    [
      [at(0), 300, 400],
      [at(0), 100, 700],
    ],
    [-400, 700],
  ],
  [
    'answers in one second and the next',
    [
      [at(0), 0, 900],
      [at(1), 950, 960],
    ],
    [40, 1_000],
  ],
  [
    'a date, then none',
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

test.each(cases)('the service clock knows the time, or not, after %s', (_, lessons, span) => {
  expect(spanAfter(lessons)).toEqual(span);
});

test('the service clock advances with the clock of the machine', () => {
  const clock = new ServiceClock();
  clock.update(at(0), 0, 0);
  expect(clock.at(5_000)).toEqual({ earliest: noon + 5_000, latest: noon + 7_000 });
});

test('a change of the service clock says nothing about the time before it', () => {
  const clock = new ServiceClock();
  clock.update(at(10), 10_000, 10_000);
  clock.update(at(3_612), 12_000, 12_000);
  const spans = [0, 10_000, 11_999, 12_000].map((moment) => clock.at(moment)?.earliest);
  expect(spans).toEqual([undefined, undefined, undefined, noon + 3_612_000]);
});

test('the first response also gives the time before it', () => {
  const clock = new ServiceClock();
  clock.update(at(10), 10_000, 10_000);
  expect(clock.at(0)?.earliest).toBe(noon);
});
