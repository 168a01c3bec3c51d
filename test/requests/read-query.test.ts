import { operation, queryFields } from '../../src/builder.ts';
import { readInput, readLimit } from '../../src/query/query-fields.ts';
import { failureOf } from '../support/failure-of.ts';

const calls = operation('calls-by-caller-id');
const sms = operation('send-sms');

test('the fields of a query are those of the operation, and a limit for a list', () => {
  const texts = (one: Parameters<typeof queryFields>[0]) =>
    queryFields(one).map(({ key, label }) => [key, label]);
  expect(texts(calls)).toEqual([
    ['status', 'Status (* for all)'],
    ['from', 'From (* for all)'],
    ['limit', 'Limit (100 if empty)'],
  ]);
  expect(texts(sms)).toEqual([
    ['from', 'From'],
    ['to', 'To'],
    ['body', 'Body'],
  ]);
});

test.each([
  ['a filter', calls, { from: '+12025550143', status: 'busy' }, ['from', 'status']],
  ['* for all', calls, { from: '*', status: 'busy' }, ['status']],
  ['a filter that was never filled in', calls, { status: 'busy' }, ['status']],
  ['a page size', calls, { from: '*', status: '*', pageSize: 5 }, []],
  ['a value of another operation', calls, { status: 'busy', body: 'Hi' }, ['status']],
  ['* in an action', sms, { to: '*', body: 'Hi' }, ['to', 'body']],
  ['an empty field of an action', sms, { to: '', body: 'Hi' }, ['body']],
])('reads %s', (_, one, query, keys) => {
  expect(Object.keys(readInput(one, query)).sort()).toEqual(keys.sort());
});

test.each([[''], [' '], [null], [undefined]])('refuses the empty filter %j', async (from) => {
  const read = async () => readInput(calls, { from, status: '*' });
  expect(await failureOf(read())).toContain('“From” is empty. Enter a value, or * for all.');
});

test.each([
  [undefined, 100],
  ['', 100],
  ['20', 20],
  [5, 5],
])('reads the limit %j', (limit, count) => {
  expect(readLimit({ limit })).toBe(count);
});

test.each([['ten'], [0], [-1], [1.5], ['*']])('refuses the limit %j', (limit) => {
  expect(() => readLimit({ limit })).toThrow('“Limit” must be a whole number, such as 100.');
});
