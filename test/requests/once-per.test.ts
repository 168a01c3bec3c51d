import { oncePer } from '../../src/async/once.ts';

test.each([
  ['object', {}, {}],
  ['text', 'one', 'another'],
])('each %s is computed once', (_, one, another) => {
  const work = jest.fn((of: object | string) => [of]);
  const once = oncePer(work);
  const results = [one, another, one].map((of) => once(of));
  expect(results).toEqual([[one], [another], [one]]);
  expect(results[2]).toBe(results[0]);
  expect(work.mock.calls).toEqual([[one], [another]]);
});
