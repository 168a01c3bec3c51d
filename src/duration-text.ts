/** Returns a duration in seconds as minutes and seconds, such as `12:00`, and hours if there are any; empty for no number. */
export function durationText(seconds: unknown): string {
  const whole = typeof seconds === 'number' ? Math.round(seconds) : Number.NaN;
  if (!(whole >= 0 && Number.isFinite(whole))) return '';
  const two = (count: number) => String(count).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(whole % 60)}`;
}
