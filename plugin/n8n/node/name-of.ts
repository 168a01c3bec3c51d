/**
 * Returns an expression for the names of what an input chose.
 *
 * @param parameter the name of the input, which has one value or several
 * @param all what it offers
 */
export function nameOf(parameter: string, all: readonly { id: string; name: string }[]): string {
  const names = Object.fromEntries(all.map(({ id, name }) => [id, name]));
  return `={{ [$parameter.${parameter}].flat().map((id) => (${JSON.stringify(names)})[id]).join(", ") }}`;
}
