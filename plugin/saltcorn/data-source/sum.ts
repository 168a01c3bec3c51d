/** The number of decimal places. */
function decimals(value: unknown): number {
  const [, digits = '', exponent = '0'] =
    /(?:\.(\d+))?(?:e(.+))?$/.exec(String(Number(value))) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

const rounded = (figure: number, values: unknown[], moreDigits: number) =>
  Number(figure.toFixed(Math.min(100, Math.max(0, ...values.map(decimals)) + moreDigits)));

/**
 * Sums amounts, with as many decimal places as the most precise one. The sum of binary fractions can differ a little
 * from that of the amounts: -0.1 and -0.2 give -0.30000000000000004.
 */
export function sum(values: unknown[]): number {
  const total = values.reduce((all: number, value) => all + Number(value), 0);
  return rounded(total, values, 0);
}

/** The average of amounts, with ten more decimal places than the most precise one. */
export const average = (values: unknown[]): number =>
  rounded(sum(values) / values.length, values, 10);
