import {
  canContinue,
  failureText,
  problemTexts,
  severityOf,
} from '../../../plugin/nocobase/client-v2/bulk/problem-texts.ts';
import type { BatchView } from '../../../src/builder.ts';

jest.mock('react', () => ({}), { virtual: true });

const t = (text: string, values: object = {}) =>
  text.replace(/\{\{(.+?)\}\}/g, (_, key) => new Map(Object.entries(values)).get(key));

const who = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'];

test.each<[string, Pick<BatchView, 'state'>, BatchView['problems'][number], string]>([
  [
    'few rows that a preview skips',
    { state: 'preview' },
    { outcome: 'failed', message: 'No number.', who },
    'Ada, Bob, Cleo and 2 more: No number.',
  ],
  [
    'few rows that were not run',
    { state: 'ended' },
    { outcome: 'not-run', message: '', who },
    'Ada, Bob, Cleo and 2 more: not run',
  ],
  [
    'few rows that were not run, and why',
    { state: 'ended' },
    { outcome: 'not-run', message: 'The account is suspended.', who },
    'Ada, Bob, Cleo and 2 more: The account is suspended.',
  ],
  [
    'every row that failed',
    { state: 'ended' },
    { outcome: 'failed', message: 'No number.', who },
    'Ada, Bob, Cleo, Dan, Eve: No number.',
  ],
  [
    'every row whose outcome is unknown',
    { state: 'interrupted' },
    { outcome: 'unknown', message: '', who },
    'Ada, Bob, Cleo, Dan, Eve: unknown',
  ],
])('a batch names %s', (_, { state }, problem, text) => {
  expect(problemTexts(t, { state, problems: [problem] })).toEqual([text]);
});

const notRun = { outcome: 'not-run', message: '', who } as const;

test.each<[what: string, problems: BatchView['problems'], severity: string]>([
  ['success', [], 'success'],
  ['one that its user stopped', [notRun], 'warning'],
  ['one that a setting ended', [{ ...notRun, message: 'The account is suspended.' }], 'error'],
  ['one with a failure', [notRun, { ...notRun, outcome: 'failed' }], 'error'],
  ['one with an unknown outcome', [{ ...notRun, outcome: 'unknown' }], 'error'],
])('shows the result of a batch: %s', (_, problems, severity) => {
  expect(severityOf({ problems })).toBe(severity);
});

test.each<[state: BatchView['state'], notRun: number, canContinue: boolean]>([
  ['preview', 0, false],
  ['running', 2, false],
  ['ended', 0, false],
  ['ended', 2, true],
  ['interrupted', 0, true],
])('a batch that is %s with %s rows not run can continue: %s', (state, count, expected) => {
  const counts = { 'not-run': count } as BatchView['counts'];
  expect(canContinue({ state, counts })).toBe(expected);
});

test.each<[string, object, string]>([
  [
    'a lost response',
    { code: 'ERR_NETWORK', message: 'Network Error' },
    'NocoBase did not respond. Try again: rows that were sent are skipped.',
  ],
  [
    'an answer of the server',
    { code: 'ERR_BAD_REQUEST', response: { data: { errors: [{ message: 'No such batch.' }] } } },
    'No such batch.',
  ],
])('explains %s', (_, error, said) => {
  expect(failureText(t, error)).toBe(said);
});
