/** How many digits a number has after its point. */
function decimals(value: unknown): number {
  const [, digits = '', exponent = '0'] =
    /(?:\.(\d+))?(?:e(.+))?$/.exec(String(Number(value))) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

const rounded = (figure: number, values: unknown[], moreDigits: number) =>
  Number(figure.toFixed(Math.min(100, Math.max(0, ...values.map(decimals)) + moreDigits)));

/**
 * The sum of amounts, with as many digits after the point as the most exact of them has. Binary fractions add up to a little
 * more or less than the amounts do: -0.1 and -0.2 to -0.30000000000000004.
 */
export function sum(values: unknown[]): number {
  const total = values.reduce((all: number, value) => all + Number(value), 0);
  return rounded(total, values, 0);
}

/** The average of amounts, with ten digits more after the point than the most exact of them has. */
export const average = (values: unknown[]): number =>
  rounded(sum(values) / values.length, values, 10);
