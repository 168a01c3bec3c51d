import type { Execute } from 'n8n-workflow';
import { readInput } from '../../../plugin/n8n/node/read-input.ts';
import { operation, TelephonyError } from '../../../src/builder.ts';

/** Reads the input of a list from what n8n's expressions returned. */
function read(parameters: Record<string, unknown>): unknown {
  const getNodeParameter = (name: string, _: number, fallback: unknown) =>
    name in parameters ? parameters[name] : fallback;
  try {
    return readInput(
      { getNodeParameter } as unknown as Execute,
      operation('calls-by-caller-id'),
      0,
    );
  } catch (error) {
    if (error instanceof TelephonyError) return error.message;
    throw error;
  }
}

const empty = '“From” is empty. Enter a value, or remove it.';
const noObject = '“options” must be an object with a value for each input.';
const from = '+12025550143';

test.each([
  ['no filters', {}, {}],
  ['filters that are empty', { options: {} }, {}],
  ['a filter', { options: { from } }, { from }],
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
  ['filters that are null', { options: null }, noObject],
  ['filters that are undefined', { options: undefined }, noObject],
  ['filters that are a text', { options: 'from' }, noObject],
  ['filters that are an array', { options: [{ from }] }, noObject],
])('%s', (_, parameters, input) => {
  expect(read(parameters)).toEqual(input);
});
