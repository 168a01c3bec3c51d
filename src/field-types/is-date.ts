/** Whether a value is a valid `Date`, also one from another realm, such as a builder's sandbox for code. */
export const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value as Date));
