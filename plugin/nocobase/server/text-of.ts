/** The value if it is a string, otherwise an empty one. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
