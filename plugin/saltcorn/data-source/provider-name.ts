import { type DataSource, definitions } from '../../../src/builder.ts';

/** The name of a data source's table provider: what people choose, and what tables remember. */
export const providerName = ({ name }: DataSource) => `${definitions.manifest.name}: ${name}`;

/** The data source of a table provider; undefined for those of others. */
export const dataSourceOf = (provider: string | null | undefined) =>
  definitions.dataSources.find((source) => providerName(source) === provider);
