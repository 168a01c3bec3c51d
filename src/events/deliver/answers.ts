import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';

/** What to do about some texts that someone may answer. */
export interface Answer {
  texts: string[];
  /** The value to record; empty to record none. */
  value: string;
  /** The text to reply; empty for no reply. */
  reply: string;
}

/** Accents, the frame of a key such as 1️⃣, skin colours, and invisible characters. */
const additions = /[\u0300-\u036f\ufe0f\u20e3]|\p{Emoji_Modifier}|\p{Cf}/gu;

/** A text without what people leave out or mix up on a phone: case, accents, full-width letters, apostrophes, the skin colour of an emoji. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .normalize('NFKD')
    .replaceAll(additions, '')
    .replaceAll('’', "'")
    .normalize('NFC');

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** The words and symbols of a text, each between line breaks, so that a part of it contains whole words only. */
const wordsOf = (text: string): string =>
  `\n${[...segmenter.segment(plain(text))]
    .map(({ segment }) => segment)
    .filter((segment) => /[\p{L}\p{N}\p{S}]/u.test(segment))
    .map((segment) => `${segment}\n`)
    .join('')}`;

/**
 * Reads answers, one on a line: `YES, OK = confirmed = Thank you.` A value or a reply may be missing.
 *
 * @throws {TelephonyError} with code `input` if a line isn't written like this, or two contain the same text
 */
export function readAnswers(lines: string): Answer[] {
  const known = new Set<string>();
  const answers = lines.split(/\r?\n/).filter((line) => line.trim());
  return answers.map((line) => {
    const parts = /^([^=]*)=([^=]*)(?:=(.*))?$/u.exec(line)?.slice(1) ?? [];
    const [before = '', value, reply = ''] = parts.map((part) => part?.trim());
    const texts = before.split(',').map((text) => text.trim());
    const words = texts.map(wordsOf);
    if (value === undefined || words.some((word) => word === '\n' || known.has(word)))
      throw new TelephonyError(
        'input',
        sentence(
          'The line “{line}” is no answer, or repeats one. Write each as {example}: what someone writes, the value to record, and the reply.',
          { line, example: { text: 'YES, OK = true = Thank you.' } },
        ),
      );
    for (const word of words) known.add(word);
    return { texts, value, reply };
  });
}

/**
 * Finds the answer that a text contains as whole words, in any case.
 *
 * @returns undefined if it contains none, or several that differ
 */
export function answerIn(answers: readonly Answer[], text: string): Answer | undefined {
  const words = wordsOf(text);
  const found = answers.filter(({ texts }) => texts.some((one) => words.includes(wordsOf(one))));
  return found.length === 1 ? found[0] : undefined;
}
