/** Whether a value is missing. Missing never means all. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || String(value).trim() === '';
