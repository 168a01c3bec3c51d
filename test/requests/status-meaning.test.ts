import { definitions, deliveryOutcome, errorSentence, statusMeaning } from '../../src/builder.ts';

const statuses = definitions.records.flatMap(({ fields }) =>
  fields.flatMap(({ status, options }) => (status && options ? options : [])),
);

test('a status that is neither good nor bad has no meaning, and each other one has', () => {
  const without = statuses.filter((status) => statusMeaning(status) === undefined);
  expect(new Set(without)).toEqual(
    new Set(['canceled', 'deleted', 'paused', 'resumed', 'stopped']),
  );
});

test.each([
  ['delivered', 'success'],
  ['in-progress', 'active'],
  ['queued', 'waiting'],
  ['busy', 'warning'],
  ['undelivered', 'failure'],
  ['undelivered: switched off', 'failure'],
  ['busy: later', undefined],
  ['constructor', undefined],
  ['', undefined],
])('the status “%s” means %s', (status, meaning) => {
  expect(statusMeaning(status)).toBe(meaning);
});

test('of a call, a row records no delivery', () => {
  for (const status of ['completed', 'failed'])
    expect(deliveryOutcome('call', { status })).toBe(undefined);
});

test.each<[record: object, outcome: string | undefined]>([
  [{ status: 'delivered' }, 'delivered'],
  [{ status: 'read' }, 'read'],
  [{ status: 'undelivered', errorCode: '30003' }, `undelivered: ${errorSentence(30003)}`],
  [{ status: 'failed', errorCode: '1', errorMessage: 'Lost' }, 'undelivered: Lost'],
  [{ status: 'failed', errorCode: '1' }, 'undelivered: 1'],
  [{ status: 'undelivered' }, 'undelivered'],
  [{ status: 'sent' }, undefined],
  [{ status: 'canceled' }, undefined],
  [{ status: 'received' }, undefined],
  [{}, undefined],
])('of the message %j, a row records %j', (record, outcome) => {
  expect(deliveryOutcome('message', { ...record })).toBe(outcome);
});
