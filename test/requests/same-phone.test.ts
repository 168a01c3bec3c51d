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
  // However it is written.
  ['(202) 555-0143', '+12025550143', true],
  ['0202 555.0143', '+12025550143', true],
  ['1 202 555 0143', '+12025550143', true],
  ['+12025550143', '1 (202) 555-0143', true],
  ['555-0143', '+12025550143', false],
  ['501-43', '50143', true],
  // What is no number is itself alone, in large letters or small ones.
  ['Client:Alice', 'client:alice', true],
  ['client:alice', 'client:bob', false],
  ['25550143x', '+12025550143', false],
  ['x', 'x+', false],
  ['+x', 'x', false],
  ['A-1', 'A1', false],
  ['A 1', 'a 1', true],
  ['sip:+1202@a.example', 'SIP:+1202@A.example', true],
  ['whatsapp:+12025550143', '+12025550143', false],
  ['Bob 2025550143', '+12025550143', false],
  ['', '+12025550143', false],
];

test.each(numbers)('the filter %j matches the number %j: %s', (asked, found, isSame) => {
  expect(samePhone(asked, found)).toBe(isSame);
});
