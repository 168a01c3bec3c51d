import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fitsFilter, readFilter } from '../../plugin/nocobase/server/data-source/read-filter.ts';
import type { DataSource } from '../../src/index.ts';
import { root } from '../root.ts';

const source = (id: string): DataSource =>
  JSON.parse(readFileSync(join(root, 'data-sources', `${id}.json`), 'utf8'));
const calls = source('calls-by-caller-id');

const nobody = undefined;

test.each<[string, unknown, object | undefined]>([
  ['no filter', undefined, {}],
  ['an empty one', { $and: [] }, {}],
  ['a value', { from: { $eq: '+1 (415) 555-0100' } }, { from: '+14155550100' }],
  ['a value without an operator', { status: 'busy' }, { status: 'busy' }],
  ['a value in a path', { 'status.$eq': 'busy' }, { status: 'busy' }],
  ['one of one', { status: { $in: ['busy'] } }, { status: 'busy' }],
  ['two columns', { $and: [{ status: 'busy' }, { from: '+1' }] }, { status: 'busy', from: '+1' }],
  ['one value twice', { $and: [{ from: '+1' }, { 'from.$eq': '+1' }] }, { from: '+1' }],
  ['two values of one', { $and: [{ from: '+1' }, { from: '+2' }] }, nobody],
  ['one of none', { status: { $in: [] } }, nobody],
  ['a value that is not there', { from: {} }, nobody],
  ['null', { from: { $eq: null } }, nobody],
  ['nothing but a blank', { from: { $eq: ' ' } }, nobody],
  ['false', { from: false }, nobody],
])('%s', (_, filter, input) => {
  expect(readFilter(calls, filter)).toEqual(input);
});

test.each<[string, unknown]>([
  ['another operator', { status: { $ne: 'busy' } }],
  ['two operators', { status: { $eq: 'busy', $ne: 'failed' } }],
  ['any of two', { status: { $in: ['busy', 'failed'] } }],
  ['one of a text', { status: { $in: 'b' } }],
  ['a choice', { $or: [{ status: 'busy' }] }],
  ['another column', { to: '+1' }],
  ['a text', 'status'],
  ['a condition that is nothing', { $and: [null] }],
])('%s cannot be kept', (_, filter) => {
  expect(() => readFilter(calls, filter)).toThrow(/cannot be filtered/);
});

test('it is said by what it can be filtered', () => {
  expect(() => readFilter(calls, { to: '+1' })).toThrow(
    expect.objectContaining({
      code: 'input',
      message:
        '“Calls by caller id” cannot be filtered by “to” in this way. It can be filtered by: Status, From, each with “is”.',
    }),
  );
});

test('what has to be given and is not shows nobody', () => {
  expect(readFilter(source('get-all-recordings-for-a-given-call'), undefined)).toBe(nobody);
});

test('the end of a range is no value to be equal to', () => {
  const filter = { dateSent: { $eq: '2026-11-20' } };
  expect(() => readFilter(source('account-messages'), filter)).toThrow(/cannot be filtered/);
});

test.each<[string, unknown, object, boolean]>([
  ['no filter', undefined, { sid: 'CA1' }, true],
  ['the value', { status: 'busy' }, { status: 'busy' }, true],
  ['a number, written otherwise', { from: '+1 415 555 0100' }, { from: '+14155550100' }, true],
  ['another value', { status: 'busy' }, { status: 'failed' }, false],
  ['a value that is not there', { status: {} }, { status: 'busy' }, false],
  ['what is called like nothing', { from: 'null' }, { from: null }, false],
  ['what is called like no value', { from: 'undefined' }, { sid: 'CA1' }, false],
  ['a record without it', { from: '+1' }, { sid: 'CA1' }, false],
])('a record by %s', (_, filter, record, fits) => {
  expect(fitsFilter(calls, filter, record)).toBe(fits);
});
