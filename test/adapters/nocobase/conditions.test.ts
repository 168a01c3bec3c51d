import {
  type Condition,
  columnWithoutValue,
} from '../../../plugin/nocobase/client-v2/data-source/conditions.ts';

const variable = '{{ ctx.popup.record.id }}';

/** A group of conditions, one for each value. */
const group = (values: Record<string, unknown>): Condition => ({
  items: Object.entries(values).map(([path, value]) => ({ path, value })),
});

test.each<[condition: string, typed: unknown, filled: unknown]>([
  ['a text', 'Berlin', 'Berlin'],
  ['a number', 0, 0],
  ['a checkbox', false, false],
  ['an operator without an operand, such as “is empty”', true, true],
  ['a variable', variable, 7],
  ['a variable for a checkbox', variable, false],
  ['a text with a variable', `+1${variable}`, '+12025550143'],
  ['a period', { type: 'past', number: 7, unit: 'day' }, { type: 'past', number: 7, unit: 'day' }],
  ['a period with an empty part', { type: 'today', unit: '' }, { type: 'today', unit: '' }],
  ['a date', new Date(0), new Date(0)],
  ['several values', ['a', variable], ['a', 7]],
])('%s is a value', (_, typed, filled) => {
  expect(columnWithoutValue(group({ city: typed }), group({ city: filled }))).toBeUndefined();
});

test.each<[condition: string, typed: unknown, filled: unknown]>([
  ['no value', undefined, undefined],
  ['null', null, null],
  ['an empty text', '', ''],
  ['a blank text', ' ', ' '],
  ['an empty list', [], []],
  ['an empty range', { from: '', to: null }, { from: '', to: null }],
  ['a variable without a value', variable, undefined],
  ['a variable that is null', variable, null],
  ['a variable that is an empty text', variable, ''],
  ['a variable that NocoBase could not resolve', variable, variable],
  ['a text with a variable without a value', `+1${variable}`, `+1${variable}`],
  ['a text with a variable that is empty', `+1${variable}`, '+1'],
  ['several values, one a variable without a value', ['a', variable], ['a', undefined]],
  ['a range with a variable without a value', { from: variable }, { from: null }],
])('%s is no value', (_, typed, filled) => {
  expect(columnWithoutValue(group({ city: typed }), group({ city: filled }))).toBe('city');
});

test('a condition without a value is found in nested groups', () => {
  const nested = (value: unknown): Condition => ({
    items: [...(group({ city: 'Berlin' }).items ?? []), { items: [group({ 'owner.id': value })] }],
  });
  expect(columnWithoutValue(nested(variable), nested(null))).toBe('owner.id');
  expect(columnWithoutValue(nested(variable), nested(7))).toBeUndefined();
});

test('a condition without a column and a value is not complete', () => {
  expect(columnWithoutValue(group({ '': '' }), group({ '': '' }))).toBe('?');
});

test('a group without conditions is complete, and one that NocoBase did not resolve is not', () => {
  expect(columnWithoutValue({ items: [] }, { items: [] })).toBeUndefined();
  expect(columnWithoutValue(group({ city: variable }), {})).toBe('city');
});
