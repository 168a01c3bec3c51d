import { aggregate, groupedBy, sorted } from '../../src/builder.ts';

const [early, late] = [new Date(0), new Date(1)];

test.each<[name: string, values: unknown[], result: unknown]>([
  ['sum', [-0.1, -0.2], -0.3],
  ['sum', [-13.4265, -26.853, -0.00000001], -40.27950001],
  ['sum', ['-0.0075', '-0.0079'], -0.0154],
  ['sum', [1e-7, 2e-7], 3e-7],
  ['sum', [1.5e-7, 1e21], 1e21],
  ['sum', [65, null, 35, undefined], 100],
  ['sum', [null], null],
  ['avg', [-0.1, -0.1, -0.1], -0.1],
  ['avg', Array(7).fill('-0.10000'), -0.1],
  ['avg', [-0.0075, -0.0079], -0.0077],
  ['avg', [1, 2, null], 1.5],
  ['avg', [1, 1, 2], 1.3333333333],
  ['avg', [], null],
  ['count', [0, '', null, undefined], 2],
  ['count', [], 0],
  ['min', [10, 9, null], 9],
  ['max', [10, 9], 10],
  ['min', ['b', 'a'], 'a'],
  ['max', [early, late], late],
  ['max', [], null],
])('computes %s of %j: %j', (name, values, result) => {
  expect(aggregate(name, values)).toEqual(result);
});

test('counts equal dates once if they are distinct', () => {
  expect(aggregate('count', [early, new Date(0), late], true)).toBe(2);
});

test('sums the amounts of 200,000 records', () => {
  expect(aggregate('sum', Array(200_000).fill(-0.1))).toBe(-20_000);
});

const rows = [
  { sid: 'CA1', status: 'busy', duration: 10, at: late },
  { sid: 'CA2', status: null, duration: 9, at: early },
  { sid: 'CA3', status: 'Answered', duration: 10, at: new Date(1) },
  { sid: 'CA4', status: 'busy', duration: null, at: early },
];
const sids = (some: readonly { sid: string }[]) => some.map(({ sid }) => sid.slice(2)).join('');

test.each<[what: string, orders: Parameters<typeof sorted>[1], order: string]>([
  ['no column', [], '1234'],
  ['numbers', [{ column: 'duration' }], '2134'],
  ['numbers, largest first', [{ column: 'duration', isDescending: true }], '1324'],
  ['numbers, empty ones first', [{ column: 'duration', isEmptyFirst: true }], '4213'],
  ['texts in any case', [{ column: 'status' }], '3142'],
  ['dates, and equal ones by text', [{ column: 'at' }, { column: 'status' }], '4231'],
])('sorts by %s', (_, orders, order) => {
  expect(sids(sorted(rows, orders))).toBe(order);
});

test('groups by several columns, dates by their time', () => {
  const groups = groupedBy(rows, ({ duration, at }) => [duration, at]);
  expect(groups.map(sids)).toEqual(['13', '2', '4']);
});
