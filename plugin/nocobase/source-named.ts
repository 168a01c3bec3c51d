import { type DataSource, definitions } from '../../src/builder.ts';
import { collectionName } from './collection-name.ts';

/** The data source that a collection of this name shows. */
export const sourceNamed = (collection: string): DataSource | undefined =>
  definitions.dataSources.find((source) => collectionName(source) === collection);
