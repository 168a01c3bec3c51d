import { documents, proseOf, readDocument } from '../support/document.ts';
import { phrasesIn } from '../support/phrases.ts';

// `docs/reference.md` repeats the texts of the definitions.
const written = documents.filter((page) => page !== 'docs/reference.md');

test.each(written)('%s uses none of the phrases that must not return', (page) => {
  const lines = proseOf(readDocument(page)).split('\n');
  const found = lines.flatMap((line, index) =>
    phrasesIn(line).map((phrase) => `${page}:${index + 1} ${phrase}`),
  );
  expect(found).toEqual([]);
});

test('the phrases are found in a sentence', () => {
  expect(phrasesIn('It is looked for what became of it.')).toEqual([
    '“what became of”: say outcome, result, status',
    '“is looked for”: say check the message log',
  ]);
});
