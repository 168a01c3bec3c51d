/** White space, control characters, and those that change the direction of text. */
const gaps = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** Cuts a text. Removes a lone surrogate at its end: databases would refuse the whole text. */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** Writes a text in one line, so that it can't pretend to be the next line of a log. */
export const oneLine = (text: string): string => text.toWellFormed().replace(gaps, ' ').trim();

const blankEnds = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/** Removes what a paste brings along at the ends of a value: blanks, line breaks and invisible characters. */
export const trimmedText = (text: string): string => text.replace(blankEnds, '');
