import fc from 'fast-check';
import { readDate } from '../../src/answer/read-date.ts';

const asDate = (text: string) => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
};

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'sat', 'Jan', 'Xyz'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number) => String(number).padStart(2, '0');
const upTo = (max: number) => fc.integer({ min: 0, max }).map(two);

/** Texts of the usual form and its neighbours, right and wrong. */
const text = fc
  .tuple(
    fc.constantFrom(...days),
    fc.oneof(upTo(33), fc.constantFrom('1', ' 1', '+1')),
    fc.constantFrom(...months, 'Foo', 'nov'),
    fc.constantFrom('2026', '2025', '1000', '0999', '0026', '0100', '9999', '26', '-026'),
    fc.tuple(upTo(25), upTo(61), upTo(61)).map((parts) => parts.join(':')),
    fc.constantFrom('+0000', '-0000', '+0200', '-0730', 'GMT', '+00000', '+000', 'Z', ''),
  )
  .map(([day, ...rest]) => `${day}, ${rest.join(' ')}`);

/** A text with one character changed, so that nothing is taken for granted. */
const misspelt = fc
  .tuple(text, fc.nat(31), fc.constantFrom(' ', ':', '0', '9', '/', 'x', '+', '١'))
  .map(([right, at, other]) => right.slice(0, at) + other + right.slice(at + 1));

test('is what Date makes of it', () => {
  fc.assert(
    fc.property(fc.oneof(text, misspelt, fc.string()), (one) => {
      expect(readDate(one)).toEqual(asDate(one));
    }),
    { numRuns: 20_000 },
  );
});

test('is so whatever was read before', () => {
  const texts = [
    'Tue, 10 Nov 2026 10:15:09 +0000',
    'Tue, 10 Nov 2026 23:59:59 +0000',
    'Tue, 10 Nov 2026 24:00:00 +0000',
    'Tue, 10 Nov 2026 10:15:60 +0000',
    'Tue, 10 Nov 2026 10:15:09 +0200',
    'Tue, 10 Nov 2026 ',
    'Tue, 10 Nov 2026 tomorrow',
    'Wed, 11 Nov 2026 00:00:00 +0000',
    'Tue, 31 Feb 2026 00:00:01 +0000',
    'Tue, 31 Feb 2026 12:00:01 +0000',
    'Tue, 10 Foo 2026 12:00:01 +0000',
    'Tue, 10 Foo 2026 12:00:02 +0000',
    'none',
    '',
    '2026-11-10T10:15:09Z',
  ];
  for (const before of texts)
    for (const one of texts) {
      readDate(before);
      expect([one, readDate(one)]).toEqual([one, asDate(one)]);
    }
});
