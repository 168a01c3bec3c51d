import {
  type Field,
  fieldTypes,
  isAction,
  isList,
  type Operation,
  pageSizeField,
  TelephonyError,
} from '../../../src/builder.ts';

/** The most tools of a server: models choose badly among more, and each costs them context. */
export const mostTools = 30;

/** How many records of a list a call returns. */
export const listLimits = { usual: 20, most: 200 };

/** The arguments of tools that aren't fields of the operation. */
export const extraArguments = {
  limit: 'limit',
  key: 'idempotencyKey',
  token: 'confirmationToken',
} as const;

/** Whether an operation needs the consent of a person, because it changes something or costs money. */
export const needsConsent = (operation: Operation): boolean =>
  isAction(operation) || ('paid' in operation && operation.paid === true);

/** Whether an operation changes or deletes a record, instead of adding one: its path ends with that record. */
const isDestructive = (operation: Operation): boolean =>
  isAction(operation) &&
  (operation.request.method === 'DELETE' || /\}(\.json)?$/.test(operation.request.path));

const canUndo = (operation: Operation) => !('asks' in operation && operation.asks);

/**
 * Selects the operations that become tools. If there are too many and none were chosen, those that can't be undone are left out first, then
 * the last ones of the manifest.
 *
 * @param allowed the operations that the caller may use
 * @param chosen the ids in the settings; none for the usual ones
 * @throws {TelephonyError} with code `settings` if too many were chosen
 */
export function selectTools(allowed: Operation[], chosen: readonly string[]): Operation[] {
  if (chosen.length > mostTools)
    throw new TelephonyError('settings', `Choose at most ${mostTools} tools.`, {
      field: 'mcpTools',
    });
  if (chosen.length > 0) return allowed.filter(({ id }) => chosen.includes(id));
  const first = [...allowed.filter(canUndo), ...allowed.filter((one) => !canUndo(one))];
  const selected = first.slice(0, mostTools);
  return allowed.filter((one) => selected.includes(one));
}

/** The type and the bounds of a value as it is entered: patterns are of cleaned values. */
function fieldSchema({ type, help, options, placeholder, ...field }: Field): object {
  const { minimum, maximum, maxLength, maxValues, default: usual } = field;
  const bounds = { minimum, maximum, maxLength, default: usual, enum: options };
  const one = {
    ...(type === 'map'
      ? { type: 'object', additionalProperties: { type: 'string' } }
      : { type: fieldTypes[type].schema.type }),
    ...Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined)),
    ...(placeholder && type !== 'map' && !options && { examples: [placeholder] }),
  };
  return {
    ...(maxValues ? { type: 'array', items: one, maxItems: maxValues } : one),
    ...(help && { description: help }),
  };
}

/** The fields of an operation's arguments: a limit replaces the page size. */
const argumentFields = (operation: Operation) =>
  operation.fields.filter((field) => field !== pageSizeField(operation));

export interface ToolOptions {
  /** Whether a second call with the token of a preview confirms the operation. */
  takesToken: boolean;
  /** Whether an action has a sender if it names none. */
  hasSender: boolean;
}

/** Returns the JSON Schema of a tool's arguments. */
export function inputSchema(operation: Operation, { takesToken, hasSender }: ToolOptions) {
  const fields = argumentFields(operation);
  const isRequired = ({ required, default: usual, purpose }: Field) =>
    required && usual === undefined && !(hasSender && purpose === 'sender');
  const { limit, key, token } = extraArguments;
  const { usual, most } = listLimits;
  const extra = {
    ...(isList(operation) && {
      [limit]: { type: 'integer', minimum: 1, maximum: most, default: usual },
    }),
    ...(isAction(operation) && {
      [key]: {
        type: 'string',
        maxLength: 255,
        description:
          'A new random value for each thing that you are asked to do. Repeat it only to repeat a call: you get its first result.',
      },
    }),
    ...(needsConsent(operation) &&
      takesToken && {
        [token]: {
          type: 'string',
          description:
            'From the preview, once the person has agreed to it. Leave out for a preview.',
        },
      }),
  };
  return {
    type: 'object' as const,
    additionalProperties: false,
    required: [
      ...fields.filter(isRequired).map((field) => field.key),
      ...(isAction(operation) ? [key] : []),
    ],
    properties: {
      ...Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
      ...extra,
    },
  };
}

/** Returns what clients may show of a tool. The server enforces what counts. */
export const annotationsOf = (operation: Operation) => ({
  readOnlyHint: !isAction(operation),
  ...(isAction(operation) && {
    destructiveHint: isDestructive(operation),
    // Its key makes a repeated call return the first result.
    idempotentHint: true,
  }),
  openWorldHint: true,
});
