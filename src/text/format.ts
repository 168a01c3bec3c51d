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
