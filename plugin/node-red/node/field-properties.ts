/** What an input can come from that is not typed into the node, as Node-RED calls it. */
export const elsewhere = ['msg', 'flow', 'global', 'env', 'jsonata'];

const variable = /^\$(?:\{([^}]+)\}|\((\S+)\))$/;

/**
 * The name of a variable of the environment, if Node-RED replaces the text by its value:
 * `${NAME}`, or the older `$(NAME)`.
 */
export function variableName(text: string): string | undefined {
  const [, name, older] = variable.exec(text) ?? [];
  return name ?? older;
}

const capitalised = (key: string) => key.charAt(0).toUpperCase() + key.slice(1);

/**
 * The two properties of a node that hold an input: what was typed, and what it stands for, such as a text or a property
 * of the message. Their prefixes keep them apart from Node-RED's own, such as `type` and `name`.
 *
 * @param key the key of the field
 */
export const fieldProperties = (key: string) => ({
  value: `input${capitalised(key)}`,
  type: `typeOf${capitalised(key)}`,
});
