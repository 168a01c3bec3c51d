/** Whether a value is the empty text, or becomes it. An object that can't become a text isn't empty. */
function isEmpty(value: unknown): boolean {
  try {
    return String(value).trim() === '';
  } catch {
    return false;
  }
}

/** Whether a value is missing. Missing never means all. */
export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || isEmpty(value);
