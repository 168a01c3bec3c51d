import type { Collection } from './nocobase.ts';

/** Deletes the rows that fit a filter, in one statement: NocoBase's own way reads them all, and names each of them in it. */
export const forget = ({ model, repository }: Collection, filter: object): Promise<number> =>
  model.destroy({ where: repository.buildQueryOptions({ filter }).where });
