import {
  type CleanPhone,
  emptySenderField,
  type Field,
  isAction,
  isFilter,
  isSenderField,
  listedPhones,
  type Operation,
  recipientField,
  TelephonyError,
} from '../../../src/builder.ts';
import type { FlowConfig, FlowNode, Message, NodeRed } from '../node-red.ts';
import { elsewhere, fieldProperties, variableName } from './field-properties.ts';
import { messageProperty } from './message-property.ts';

/** Means all, if a filter's value comes from outside the node. */
const all = '*';

/** The source of an input, as a phrase. */
function placeOf(value: string, type: string): string {
  const name = type === 'env' ? value : variableName(value);
  if (name) return `the variable ${name}`;
  return type === 'jsonata' ? `the expression ${value}` : `${type}.${value}`;
}

function whyMissing(value: string, type: string): string {
  if (value.trim() !== '') return `${placeOf(value, type)} has no value`;
  const what = { env: 'variable', jsonata: 'expression' }[type] ?? `property of ${type}`;
  return `the node does not name the ${what}`;
}

function evaluate(RED: NodeRed, value: string, type: string, node: FlowNode, message: Message) {
  return new Promise<unknown>((resolve, reject) => {
    RED.util.evaluateNodeProperty(value, type, node, message, (error, result) =>
      error ? reject(error) : resolve(result),
    );
  });
}

const isAbsent = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The source of a node's inputs. */
export interface Source {
  RED: NodeRed;
  node: FlowNode;
  /** The node's properties, with the values of variables. */
  config: FlowConfig;
  /** The node's properties, with the names of variables. */
  typed: FlowConfig;
}

async function read({ RED, node, config }: Source, field: Field, place: string, message: Message) {
  const property = fieldProperties(field.key);
  const given = config[property.value] ?? '';
  const type = String(config[property.type] ?? 'str');
  // The value of a variable may have another type than text.
  if (typeof given !== 'string' && !elsewhere.includes(type)) return given;
  const value = String(given);
  if (value.trim() === '' || (type === 'str' && variableName(value))) return undefined;
  try {
    return await evaluate(RED, value, type, node, message);
  } catch (error) {
    // A path through a missing property has no value, like a path that ends at one.
    if (error instanceof TypeError) return undefined;
    const sentence = `"${field.label}" cannot be read from ${place}: ${(error as Error).message}`;
    throw new TelephonyError('input', sentence, { field: field.key });
  }
}

/**
 * Reads an input of a node: the typed text, or the value it refers to in the message, the context or the environment.
 *
 * @param canBeAll whether that value may be `*` for all
 * @param message the incoming message
 * @returns undefined if the input is empty, or for all
 * @throws {TelephonyError} with the `field` that refers to no value
 */
export async function readField(
  source: Source,
  field: Field,
  canBeAll: boolean,
  message: Message,
): Promise<unknown> {
  const property = fieldProperties(field.key);
  const text = String(source.typed[property.value] ?? '');
  const type = String(source.typed[property.type] ?? 'str');
  if (text.trim() === '' && !elsewhere.includes(type)) return undefined;
  const value = await read(source, field, placeOf(text, type), message);
  if (!isAbsent(value)) return canBeAll && value === all ? undefined : value;
  const sentence = `"${field.label}" is missing: ${whyMissing(text, type)}.`;
  const way = canBeAll ? ` For all, set it to "${all}".` : '';
  throw new TelephonyError('input', sentence + way, { field: field.key });
}

type InputValues = Record<string, unknown>;

/** Reads an input that the node leaves empty from the message. One sender is enough. */
function readProperty(operation: Operation, field: Field, input: InputValues, message: Message) {
  const property = messageProperty(operation, field);
  const isGiven = (key: string) => Object.hasOwn(input, key);
  if (property === undefined || isGiven(field.key)) return undefined;
  if (isSenderField(field) && emptySenderField(operation, isGiven) !== field) return undefined;
  const value: unknown = Reflect.get(message, property);
  if (value === undefined || !isAbsent(value)) return value;
  const sentence = `"${field.label}" is missing: ${whyMissing(property, 'msg')}.`;
  throw new TelephonyError('input', sentence, { field: field.key });
}

/**
 * Reads the inputs of a node. Leaves out empty ones. An input that refers to no value is an error: without its value, a
 * filter would match everything.
 *
 * @param message the incoming message
 * @param known inputs that were read before, such as the recipient
 * @throws {TelephonyError} with the `field` that refers to no value
 */
export async function readInputs(
  operation: Operation,
  source: Source,
  message: Message,
  known: InputValues = {},
): Promise<InputValues> {
  const input = { ...known };
  for (const field of operation.fields) {
    if (Object.hasOwn(known, field.key)) continue;
    const value = await readField(source, field, isFilter(operation, field), message);
    if (value !== undefined) input[field.key] = value;
  }
  return input;
}

/**
 * Reads an operation's input: the inputs of its node and, for those it leaves empty, the message.
 *
 * @param message the incoming message
 * @param known inputs that were read before, such as the recipient
 * @throws {TelephonyError} with the `field` that refers to no value
 */
export async function readInput(
  operation: Operation,
  source: Source,
  message: Message,
  known: InputValues = {},
): Promise<InputValues> {
  const input = await readInputs(operation, source, message, known);
  for (const field of operation.fields) {
    const value = readProperty(operation, field, input, message);
    if (value !== undefined) input[field.key] = value;
  }
  return input;
}

/**
 * Reads the recipients of an action, each as an input of its own. One that can't be sent to is an input, too, so that it is reported.
 *
 * @param message the incoming message
 * @returns none if the message names no recipient, and whether it names them as a list, even if of one
 * @throws {TelephonyError} with the `field` that refers to no value
 */
export async function readRecipients(
  operation: Operation,
  source: Source,
  message: Message,
  clean: CleanPhone,
): Promise<{ recipients: InputValues[]; isList: boolean }> {
  const field = isAction(operation) && operation.batch && recipientField(operation);
  if (!field) return { recipients: [], isList: false };
  const given =
    (await readField(source, field, false, message)) ??
    readProperty(operation, field, {}, message) ??
    [];
  const recipients = listedPhones(given, clean).map((one) => ({ [field.key]: one }));
  return { recipients, isList: Array.isArray(given) || recipients.length > 1 };
}
