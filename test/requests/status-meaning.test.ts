import { definitions, statusMeaning } from '../../src/builder.ts';

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
  ['constructor', undefined],
  ['', undefined],
])('the status “%s” means %s', (status, meaning) => {
  expect(statusMeaning(status)).toBe(meaning);
});
