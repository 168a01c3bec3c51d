import { readLimit } from '../../../plugin/node-red/data-source/record-limit.ts';

const limits: [typed: unknown, limit: number | undefined][] = [
  [undefined, 1000],
  [null, 1000],
  ['', 1000],
  ['  ', 1000],
  ['1', 1],
  [' 25 ', 25],
  [25, 25],
  ['100000', 100_000],
  ['0', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e3', undefined],
  ['x1', undefined],
  ['1x', undefined],
  ['all', undefined],
  [{}, undefined],
];

test.each(limits)('the record limit %j is read as %j', (typed, limit) => {
  expect(readLimit(typed)).toBe(limit);
});
