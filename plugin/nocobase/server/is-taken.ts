/** Whether a row was refused since another one has a value that only one can have. */
export const isTaken = (error: unknown): boolean =>
  (error as Error).name === 'SequelizeUniqueConstraintError';
