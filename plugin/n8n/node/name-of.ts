/**
 * Returns an expression for the name of what an input chose.
 *
 * @param parameter the name of the input
 * @param all what it offers
 */
export function nameOf(parameter: string, all: readonly { id: string; name: string }[]): string {
  const names = Object.fromEntries(all.map(({ id, name }) => [id, name]));
  return `={{ (${JSON.stringify(names)})[$parameter.${parameter}] }}`;
}
