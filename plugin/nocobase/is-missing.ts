/** Whether something that a value was to be bound to is not there. What is missing is nobody, and never everybody. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || String(value).trim() === '';
