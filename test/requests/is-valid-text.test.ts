import { type CheckedField, isValidText, operations } from '../../src/builder.ts';

const cases: [field: CheckedField, valid: string[], invalid: string[]][] = [
  [
    { type: 'date' },
    ['2026-11-30', ' 2026-11-30 ', '2026-11-30T10:00:00+01:00'],
    ['today', '11/30/2026', '2026-11-31', '20261130'],
  ],
  [{ type: 'integer', minimum: 1, maximum: 1000 }, ['1', '1000'], ['0', '1001', '1.5', 'ten']],
  [{ type: 'phone' }, ['+1 (415) 555-0100', 'Front desk', 'whatsapp:+14155550100'], ['1\n2']],
  [{ type: 'sid' }, ['CA0123456789abcdef0123456789abcdef'], ['../Calls', 'C'.repeat(65)]],
  [{ type: 'text', maxLength: 3 }, ['abc', '😀😀😀'], ['abcd']],
  [
    { type: 'text', maxLength: 3, maxValues: 2 },
    ['abc', 'abc\n\nd', 'abc, d'],
    ['abcd', 'a\nb\nc'],
  ],
  [{ type: 'speech', maxLength: 3 }, ['abc'], ['  ', 'abcd']],
];
test.each(cases)('a field with %j can be any of %j, and none of %j', (field, valid, invalid) => {
  expect([...valid, ...invalid].filter((text) => isValidText(field, text))).toEqual(valid);
});

test('all examples in fields are valid', () => {
  const shown = operations.flatMap(({ fields }) =>
    fields.flatMap((field) => (field.placeholder ? [{ field, text: field.placeholder }] : [])),
  );
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter(({ field, text }) => !isValidText(field, text))).toEqual([]);
});
