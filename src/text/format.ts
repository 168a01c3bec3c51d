let format: Intl.NumberFormat | undefined;

/** Writes a number with its digits in groups: `10,000`. In NocoBase, `toLocaleString` would ignore its arguments. */
export function numberText(number: number): string {
  format ??= new Intl.NumberFormat('en-US');
  return format.format(number);
}

/** Returns a duration in seconds as minutes and seconds, such as `12:00`, and hours if there are any; empty for no number. */
export function durationText(seconds: unknown): string {
  const whole = typeof seconds === 'number' ? Math.round(seconds) : Number.NaN;
  if (!(whole >= 0 && Number.isFinite(whole))) return '';
  const two = (count: number) => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(whole % 60)}`;
}

/** Writes a time for people who may be in any time zone: `2026-11-26 15:10:38 UTC`. */
export const utcText = (time: Date): string =>
  `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Adds a sentence to a message, which may lack its full stop: what the service says often does. */
export const addSentence = (message: string, sentence: string): string =>
  `${message.replace(/[^.]$/, '$&.')} ${sentence}`;

/** White space, control characters, and those that change the direction of text. */
const gaps = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** Cuts a text. Removes a lone surrogate at its end: databases would refuse the whole text. */
export const truncate = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** Writes a text in one line, so that it can't pretend to be the next line of a log. */
export const oneLine = (text: string): string => text.toWellFormed().replace(gaps, ' ').trim();

// The lookbehind keeps a long run inside a text from being tried again at each of its characters.
const blankEnds = /^[\s\p{Cf}]+|(?<![\s\p{Cf}])[\s\p{Cf}]+$/gu;

/** Removes what a paste brings along at the ends of a value: blanks, line breaks and invisible characters. */
export const trimmedText = (text: string): string => text.replace(blankEnds, '');
