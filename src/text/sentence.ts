import { oncePer } from '../async/once.ts';
import { utcText } from './format.ts';

/** A time in ISO 8601. A sentence passes JSON, which has no dates. */
export interface SaidTime {
  time: string;
}

/** What a sentence can be about. A list is written with commas. */
export type Said = string | SaidTime | Sentence | Said[];

/** A sentence for people, in English, and its values. It is translated when it is shown. */
export interface Sentence {
  /** The text with `{name}` for values, and plurals as in ICU: `{count, plural, one {# row} other {# rows}}`. */
  text: string;
  values?: Record<string, Said | number>;
  /** Only the first sentence of the text, as it follows a colon. */
  part?: 'first sentence';
}

/**
 * Creates a sentence. Each text is a literal here and has an entry in `translations/sentences/`; a test compares them. Texts of
 * definitions have entries of their own, so they are written as plain objects instead.
 */
export const sentence = (text: string, values?: Record<string, Said | number | Date>): Sentence => {
  if (!values) return { text };
  const all = Object.entries(values).map(([name, value]) => [
    name,
    value instanceof Date ? { time: value.toISOString() } : value,
  ]);
  return { text, values: Object.fromEntries(all) };
};

/** Translates an English text with its placeholders; returns the same text if it can't. */
export type TranslateText = (text: string) => string;

/** Joins sentences. Adds the full stop that one may lack: what the service says often does. */
export const sentences = (...all: (Said | undefined)[]): Said =>
  all
    .filter((one) => one !== undefined)
    .reduce((first, next) =>
      inEnglish(first).endsWith('.')
        ? sentence('{first} {next}', { first, next })
        : sentence('{first}. {next}', { first, next }),
    );

/** The entry of a catalogue that names its language, by which plurals and numbers are written. */
const language = sentence('en').text;

const placeholder = /\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g;

// Creating one takes longer than writing a sentence.
const numberFormat = oncePer((code: string) => new Intl.NumberFormat(code));
const pluralRules = oncePer((code: string) => new Intl.PluralRules(code));

function numberIn(code: string, count: number, forms: string | undefined): string {
  const number = numberFormat(code).format(count);
  if (forms === undefined) return number;
  const category = pluralRules(code).select(count);
  const found = [...forms.matchAll(/(\w+) \{(.*?)\}/g)];
  const [, , form = ''] =
    found.find(([, name]) => name === category) ?? found.find(([, name]) => name === 'other') ?? [];
  return form.replaceAll('#', number);
}

/** Returns the first sentence of a text without its full stop, as it follows a colon in the language of a code. */
function firstSentence(text: string, code: string): string {
  const [first = ''] = text.split(/\.(?: |$)|。/);
  return code === language ? first.charAt(0).toLowerCase() + first.slice(1) : first;
}

/** Returns a sentence in a language as texts and times, for a builder that shows times in its own way. */
export function sentenceParts(said: Said, translate: TranslateText): (string | Date)[] {
  if (typeof said === 'string') return [said];
  if ('time' in said) return [new Date(said.time)];
  if (Array.isArray(said)) {
    if (said.length === 0) return [];
    const all = said.reduce((first, next) => sentence('{first}, {next}', { first, next }));
    return sentenceParts(all, translate);
  }
  const { text, values = {}, part } = said;
  const found = translate(text);
  // A text without a translation stays English. One without words is the same in each language.
  const isEnglish = found === text && /\p{L}/u.test(text.replace(placeholder, ''));
  const code = isEnglish ? language : translate(language);
  const template = part ? firstSentence(found, code) : found;
  const parts: (string | Date)[] = [];
  let end = 0;
  for (const { 0: all, 1: name = '', 2: forms, index } of template.matchAll(placeholder)) {
    const value = (Object.hasOwn(values, name) ? values[name] : undefined) ?? '';
    parts.push(template.slice(end, index));
    if (typeof value === 'number') parts.push(numberIn(code, value, forms));
    else parts.push(...sentenceParts(value, translate));
    end = index + all.length;
  }
  return [...parts, template.slice(end)];
}

/** Writes sentences, lists of them, and texts that have no translation, in the language of a person. */
export type Say = (said: Said) => string;

/**
 * Returns a function that writes sentences in a language, which is English if nothing is given.
 *
 * @param translate translates a text with its placeholders
 * @param timeText writes a time
 */
export const sayIn =
  (translate: TranslateText = (text) => text, timeText: (time: Date) => string = utcText): Say =>
  (said) =>
    sentenceParts(said, translate)
      .map((part) => (typeof part === 'string' ? part : timeText(part)))
      .join('');

/** Writes sentences in English. */
export const inEnglish: Say = sayIn();

/** The sentences of results that are plain data with an English text for programs. */
const sentencesOf = new WeakMap<object, Said>();

/** Keeps the sentence of a plain result, so that a builder can translate it. */
export function withSentence<Result extends object>(result: Result, said: Said): Result {
  sentencesOf.set(result, said);
  return result;
}

/** Returns the sentence of a result; undefined if the result is a copy, or has none. */
export const sentenceOf = (result: object): Said | undefined => sentencesOf.get(result);
