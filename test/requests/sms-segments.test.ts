import { type SmsSegments, smsSegments } from '../../src/index.ts';

// What the standards say, and what the service's own page on them gives as examples.
const cases: [what: string, text: string, counted: SmsSegments][] = [
  ['nothing', '', { alphabet: 'GSM-7', segments: 1, left: 160 }],
  ['a full one', 'a'.repeat(160), { alphabet: 'GSM-7', segments: 1, left: 0 }],
  ['one more', 'a'.repeat(161), { alphabet: 'GSM-7', segments: 2, left: 145 }],
  ['two full ones', 'a'.repeat(306), { alphabet: 'GSM-7', segments: 2, left: 0 }],
  ['three', 'a'.repeat(307), { alphabet: 'GSM-7', segments: 3, left: 152 }],
  ['letters of the alphabet', 'Ærø à Ñandú?\r\n'.replace('ú', 'ù'), gsm(14)],
  ['characters that take two', '€[]{}~^|\\', gsm(18)],
  ['a full one of these', '€'.repeat(80), gsm(160)],
  ['76 fit into one of several', '€'.repeat(81), { alphabet: 'GSM-7', segments: 2, left: 143 }],
  ['what is not in it', 'ú', { alphabet: 'UCS-2', segments: 1, left: 69 }],
  ['a quotation mark of a word processor', '’', { alphabet: 'UCS-2', segments: 1, left: 69 }],
  ['70 of these', 'ж'.repeat(70), { alphabet: 'UCS-2', segments: 1, left: 0 }],
  ['71 of these', 'ж'.repeat(71), { alphabet: 'UCS-2', segments: 2, left: 63 }],
  ['pictures, which take two', '🙂'.repeat(35), { alphabet: 'UCS-2', segments: 1, left: 0 }],
  ['33 fit into one of several', '🙂'.repeat(67), { alphabet: 'UCS-2', segments: 3, left: 65 }],
  ['two units where a bracket is no longer one of two', '[ú', ucs2(2)],
];

function gsm(units: number): SmsSegments {
  return { alphabet: 'GSM-7', segments: 1, left: 160 - units };
}

function ucs2(units: number): SmsSegments {
  return { alphabet: 'UCS-2', segments: 1, left: 70 - units };
}

test.each(cases)('%s', (_, text, counted) => {
  expect(smsSegments(text)).toEqual(counted);
});
