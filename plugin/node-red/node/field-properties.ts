/** Node-RED's names for the sources of a value that isn't typed into the node. */
export const elsewhere = ['msg', 'flow', 'global', 'env', 'jsonata'];

const variable = /^\$(?:\{([^}]+)\}|\((\S+)\))$/;

/**
 * The name of the environment variable if Node-RED replaces this text by its value: `${NAME}`, or the older `$(NAME)`.
 */
export function variableName(text: string): string | undefined {
  const [, name, older] = variable.exec(text) ?? [];
  return name ?? older;
}

const capitalised = (key: string) => key.charAt(0).toUpperCase() + key.slice(1);

/**
 * The two node properties that store an input: its value and its type, such as text or message property. The prefixes
 * avoid conflicts with Node-RED's own properties, such as `type` and `name`.
 *
 * @param key the key of the field
 */
export const fieldProperties = (key: string) => ({
  value: `input${capitalised(key)}`,
  type: `typeOf${capitalised(key)}`,
});
