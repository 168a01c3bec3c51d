/** What was handed over, if it is a text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
