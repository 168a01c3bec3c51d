import { type SmsSegments, smsSegments } from '../../src/builder.ts';

// From the standards, and the examples of the service's page about them.
const cases: [what: string, text: string, counted: SmsSegments][] = [
  ['an empty text', '', { alphabet: 'GSM-7', segments: 1, left: 160 }],
  ['a full GSM-7 segment', 'a'.repeat(160), { alphabet: 'GSM-7', segments: 1, left: 0 }],
  [
    'one character more than a segment',
    'a'.repeat(161),
    { alphabet: 'GSM-7', segments: 2, left: 145 },
  ],
  ['two full segments', 'a'.repeat(306), { alphabet: 'GSM-7', segments: 2, left: 0 }],
  [
    'one character more than two segments',
    'a'.repeat(307),
    { alphabet: 'GSM-7', segments: 3, left: 152 },
  ],
  ['accented letters of the GSM-7 alphabet', 'Ærø à Ñandú?\r\n'.replace('ú', 'ù'), gsm(14)],
  ['GSM-7 characters that count as two', '€[]{}~^|\\', gsm(18)],
  ['a full segment of characters that count as two', '€'.repeat(80), gsm(160)],
  [
    'a segment of several holds 76 characters that count as two',
    '€'.repeat(81),
    { alphabet: 'GSM-7', segments: 2, left: 143 },
  ],
  ['a letter outside of GSM-7', 'ú', { alphabet: 'UCS-2', segments: 1, left: 69 }],
  ['a typographic quotation mark', '’', { alphabet: 'UCS-2', segments: 1, left: 69 }],
  ['70 letters outside of GSM-7', 'ж'.repeat(70), { alphabet: 'UCS-2', segments: 1, left: 0 }],
  ['71 letters outside of GSM-7', 'ж'.repeat(71), { alphabet: 'UCS-2', segments: 2, left: 63 }],
  ['emoji, which count as two', '🙂'.repeat(35), { alphabet: 'UCS-2', segments: 1, left: 0 }],
  [
    'a segment of several holds 33 emoji',
    '🙂'.repeat(67),
    { alphabet: 'UCS-2', segments: 3, left: 65 },
  ],
  ['a bracket counts as one in UCS-2', '[ú', ucs2(2)],
];

function gsm(units: number): SmsSegments {
  return { alphabet: 'GSM-7', segments: 1, left: 160 - units };
}

function ucs2(units: number): SmsSegments {
  return { alphabet: 'UCS-2', segments: 1, left: 70 - units };
}

test.each(cases)('the segments of: %s', (_, text, counted) => {
  expect(smsSegments(text)).toEqual(counted);
});
