import type { DataSource } from '../../src/builder.ts';

/** The name of a data source's collection. NocoBase's API requires letters, digits and underscores. */
export const collectionName = ({ id }: DataSource) => id.replaceAll('-', '_');
