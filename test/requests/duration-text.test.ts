import { durationText } from '../../src/builder.ts';

test.each<[seconds: unknown, text: string]>([
  [0, '0:00'],
  [9, '0:09'],
  [720, '12:00'],
  [3_599.6, '1:00:00'],
  [3_661, '1:01:01'],
  [360_000, '100:00:00'],
  [-1, ''],
  [null, ''],
  [undefined, ''],
  ['12', ''],
  [Number.NaN, ''],
  [Number.POSITIVE_INFINITY, ''],
])('a duration of %j seconds is “%s”', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
