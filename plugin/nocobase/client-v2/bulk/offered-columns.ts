/** A variable to choose, as NocoBase describes it: a column, or a related record with columns of its own. */
export interface Variable {
  options?: { type?: string };
  properties?(): Promise<Record<string, Variable>>;
}

/** The types of relations to one record. */
export const relationsToOne: string[] = ['belongsTo', 'hasOne'];

/**
 * Offers what the server can fill in: columns of the row, and of the one record that the row refers to by a relation.
 *
 * @param isRelated whether the variable is such a record
 */
export function offeredColumns<Of extends Variable>(variable: Of, isRelated = false): Of {
  const { properties } = variable;
  if (!properties) return variable;
  const offered = async () => {
    const all = Object.entries(await properties());
    const wanted = all.filter(
      ([, one]) =>
        !one.properties || (!isRelated && relationsToOne.includes(one.options?.type ?? '')),
    );
    return Object.fromEntries(wanted.map(([name, one]) => [name, offeredColumns(one, true)]));
  };
  return { ...variable, properties: offered };
}
