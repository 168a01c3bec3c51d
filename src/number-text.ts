let format: Intl.NumberFormat | undefined;

/** Writes a number with its digits in groups: `10,000`. In NocoBase, `toLocaleString` would ignore its arguments. */
export function numberText(number: number): string {
  format ??= new Intl.NumberFormat('en-US');
  return format.format(number);
}
