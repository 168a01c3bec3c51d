/** Whether an insert failed because a unique value exists already. */
export const isTaken = (error: unknown): boolean =>
  (error as Error).name === 'SequelizeUniqueConstraintError';
