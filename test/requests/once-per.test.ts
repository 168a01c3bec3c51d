import { oncePer } from '../../src/once-per.ts';

test('each object is computed once', () => {
  const work = jest.fn((of: object) => [of]);
  const once = oncePer(work);
  const [one, another] = [{}, {}];
  const results = [one, another, one].map(once);
  expect(results).toEqual([[one], [another], [one]]);
  expect(results[2]).toBe(results[0]);
  expect(work.mock.calls).toEqual([[one], [another]]);
});
