import { average, sum } from '../../../plugin/saltcorn/data-source/sum.ts';

const sums: [values: unknown[], total: number][] = [
  [[-0.1, -0.2], -0.3],
  [[-13.4265, -26.853, -0.00000001], -40.27950001],
  [['-0.0075', '-0.0079'], -0.0154],
  [[1e-7, 2e-7], 3e-7],
  [[1.5e-7, 1e21], 1e21],
  [[65, 35], 100],
  [[], 0],
];
test.each(sums)('adds %j up to %j', (values, total) => {
  expect(sum(values)).toBe(total);
});

const averages: [values: unknown[], average: number][] = [
  [[-0.1, -0.1, -0.1], -0.1],
  [Array(7).fill('-0.10000'), -0.1],
  [[-0.0075, -0.0079], -0.0077],
  [[1, 2], 1.5],
  [[1, 1, 2], 1.3333333333],
];
test.each(averages)('the average of %j is %j', (values, expected) => {
  expect(average(values)).toBe(expected);
});
