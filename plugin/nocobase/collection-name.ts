import type { DataSource } from '../../src/builder.ts';

/** The name of a data source's collection: letters and digits, as NocoBase's API wants them. */
export const collectionName = ({ id }: DataSource) => id.replaceAll('-', '_');
