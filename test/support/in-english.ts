import { inEnglish, type RowItem } from '../../src/builder.ts';

/** Returns a row of a batch with its reason in English. */
export const inEnglishRow = <Row extends Pick<RowItem, 'message'>>(row: Row) =>
  row.message === undefined ? row : { ...row, message: inEnglish(row.message) };
