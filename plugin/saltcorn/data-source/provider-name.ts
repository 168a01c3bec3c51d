import { type DataSource, definitions } from '../../../src/builder.ts';

/** The name of a data source's table provider. Users choose it, and tables store it. */
export const providerName = ({ name }: DataSource) => `${definitions.manifest.name}: ${name}`;

/** The data source of a table provider; undefined for other providers. */
export const dataSourceOf = (provider: string | null | undefined) =>
  definitions.dataSources.find((source) => providerName(source) === provider);

/** Sorts the data sources as Saltcorn offers them: first, for each kind of record, the list that needs no settings. */
export function sourcesByUse(sources: readonly DataSource[]): DataSource[] {
  const lists = sources.filter(
    ({ result, fields }) => result.list && !fields.some(({ required }) => required),
  );
  const first = new Map(lists.toReversed().map((source) => [source.result.of, source]));
  const rank = (source: DataSource) => Number(first.get(source.result.of) !== source);
  return sources.toSorted((one, other) => rank(one) - rank(other));
}
