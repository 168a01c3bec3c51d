import { samePhone } from '../../src/field-types/same-phone.ts';

const numbers: [asked: string, found: string, isSame: boolean][] = [
  ['+12025550143', '+12025550143', true],
  ['+12025550143', '12025550143', true],
  ['12025550143', '+12025550143', true],
  ['+1 (202) 555-0143', '+12025550143', true],
  ['+12025550143', '+12025550144', false],
  // Without its country code, with the zero of its country or without.
  ['2025550143', '+12025550143', true],
  ['02025550143', '+12025550143', true],
  ['25550143', '+12025550143', true],
  ['5550143', '+12025550143', false],
  ['0', '+12025550143', false],
  ['+2025550143', '+12025550143', false],
  ['12025550143', '2025550143', false],
  // What is no number is itself alone, in large letters or small ones.
  ['Client:Alice', 'client:alice', true],
  ['client:alice', 'client:bob', false],
  ['25550143x', '+12025550143', false],
  ['x', 'x+', false],
  ['', '+12025550143', false],
];

test.each(numbers)('who asks for %j is shown %j: %s', (asked, found, isSame) => {
  expect(samePhone(asked, found)).toBe(isSame);
});
