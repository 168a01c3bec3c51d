import type { Said } from './sentence.ts';

/** The sentences of results that are plain data with an English text for programs. */
const sentencesOf = new WeakMap<object, Said>();

/** Keeps the sentence of a plain result, so that a builder can translate it. */
export function withSentence<Result extends object>(result: Result, said: Said): Result {
  sentencesOf.set(result, said);
  return result;
}

/** Returns the sentence of a result; undefined if the result is a copy, or has none. */
export const sentenceOf = (result: object): Said | undefined => sentencesOf.get(result);
