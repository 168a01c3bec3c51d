import type { Execute } from 'n8n-workflow';
import { readInput } from '../../../plugin/n8n/node/read-input.ts';
import { checkInput, type Operation, operation, TelephonyError } from '../../../src/builder.ts';

/** A stand-in for Luxon, which doesn't know the 30th day of February. */
const DateTime = {
  fromISO: (text: string, { zone }: { zone: string }) => ({
    toISO: () => (text.includes('-02-30') ? null : `${text} in ${zone}`),
  }),
};

/** Reads the input of an operation from what n8n's expressions returned. */
function read(
  parameters: Record<string, unknown>,
  of: Operation = operation('calls-by-number-and-date'),
): unknown {
  const getWorkflowDataProxy = () => ({ DateTime });
  const getTimezone = () => 'Asia/Tokyo';
  const getNodeParameter = (name: string, _: number, fallback: unknown) =>
    name in parameters ? parameters[name] : fallback;
  try {
    return readInput(
      { getNodeParameter, getTimezone, getWorkflowDataProxy } as unknown as Execute,
      of,
      0,
    );
  } catch (error) {
    if (error instanceof TelephonyError) return error.message;
    throw error;
  }
}

const empty = '“From” is empty. Enter a value, or remove it.';
const from = '+12025550143';

test.each([
  ['no filters', {}, {}],
  ['filters that are empty', { options: {} }, {}],
  ['a filter', { options: { from } }, { from }],
  ['several choices', { options: { status: ['busy'] } }, { status: ['busy'] }],
  ['no choice of several', { options: { from: [] } }, empty],
  ['a filter from a list', { options: { from: { __rl: true, value: from } } }, { from }],
  [
    'a date of Luxon’s',
    { options: { from: { toISO: () => '2026-11-26' } } },
    { from: '2026-11-26' },
  ],
  ['a filter that is undefined', { options: { from: undefined } }, empty],
  ['a filter that is null', { options: { from: null } }, empty],
  ['a filter of spaces', { options: { from: '  ' } }, empty],
  ['a list without a choice', { options: { from: { __rl: true, value: '' } } }, empty],
])('%s', (_, parameters, input) => {
  expect(read(parameters)).toEqual(input);
});

test.each([
  ['2026-11-30T09:00:00', '2026-11-30T09:00:00 in Asia/Tokyo'],
  ['2026-11-30 09:00', '2026-11-30T09:00 in Asia/Tokyo'],
  ['2026-11-30T09:00:00Z', '2026-11-30T09:00:00Z'],
  ['2026-11-30T09:00:00.000-05:00', '2026-11-30T09:00:00.000-05:00'],
  ['2026-11-30', '2026-11-30T00:00:00 in Asia/Tokyo'],
  ['2026-02-30T09:00:00', '2026-02-30T09:00:00'],
  ['tomorrow', 'tomorrow'],
  [1795706808625, 1795706808625],
])('the time %s', (startTimeAfter, time) => {
  expect(read({ options: { startTimeAfter } })).toEqual({ startTimeAfter: time });
});

test('a last day is the whole day in the time zone', () => {
  const startTimeBefore = '2026-11-30';
  const end = '2026-11-30T23:59:59 in Asia/Tokyo';
  expect(read({ options: { startTimeBefore } })).toEqual({ startTimeBefore: end });
});

test('only a time gets a time zone', () => {
  const from = '2026-11-30T09:00:00';
  expect(read({ options: { from } })).toEqual({ from });
});

const template = operation('send-a-template');
const to = '+12025550143';
const contentSid = 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002';
const variables = (...pairs: [name: unknown, value: unknown][]) => ({
  contentVariables: { pairs: pairs.map(([name, value]) => ({ name, value })) },
});
const invalid = /^"Variables" must be one line for each value, such as 1=Ada, and no value may be/;

test.each<[what: string, parameters: object, read: unknown]>([
  ['none', { contentVariables: {} }, undefined],
  ['an empty list', variables(), undefined],
  ['two', variables(['1', 'Ada'], ['2', 7]), '{"1":"Ada","2":"7"}'],
  [
    'a line break in a value',
    variables(['1', 'Ada\n2=EVIL'], ['2', 'x']),
    '{"1":"Ada\\n2=EVIL","2":"x"}',
  ],
  ['a name that is there twice', variables(['1', 'Ada'], ['1', 'Bob']), invalid],
  ['a value that is missing in the item', variables(['1', undefined]), invalid],
  ['a value that is null', variables(['1', null]), invalid],
  ['a value without a name', variables(['', 'Ada']), invalid],
])('variables: %s', (_, parameters, expected) => {
  const input = read({ to, from: to, contentSid, ...parameters }, template) as object;
  const check = () => checkInput(template, { ...input });
  if (expected instanceof RegExp) expect(check).toThrow(expected);
  else expect(Object(check()).contentVariables).toBe(expected);
});
