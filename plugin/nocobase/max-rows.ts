/** The maximum number of rows of a batch. */
export const maxRows = 1000;
