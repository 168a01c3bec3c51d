import { aboutValues, isAction, type Operation, TelephonyError } from '../../../src/builder.ts';
import type { Done, FlowNode } from '../node-red.ts';

type InputValues = Record<string, unknown>;

const named = (operation: Operation, input: InputValues) =>
  `"${operation.name}" (${aboutValues(operation, input)})`.replace(' ()', '');

/** The report of an action that ended after its node was closed. */
export const lateReport = (operation: Operation, input: InputValues): string =>
  `${named(operation, input)} succeeded while its node was closed.`;

/**
 * What is reported of something that failed or was stopped.
 *
 * @param error what it failed with
 * @param input what it was run with
 * @param isClosing whether its node is being closed, so that the message that came in may not be seen next to it
 */
export function faultOf(
  error: unknown,
  operation: Operation,
  input: InputValues,
  isClosing: boolean,
): Error {
  if (!(error instanceof TelephonyError)) return error as Error;
  if (error.code === 'aborted') {
    const why = `its node was ${isClosing ? 'closed' : 'stopped'}`;
    const what = isAction(operation)
      ? `was not sent: ${why} while it waited`
      : `was not read completely: ${why}`;
    return new TelephonyError('aborted', `${named(operation, input)} ${what}.`, error);
  }
  const text = `${named(operation, input)}: ${error.message}`;
  if (isClosing) return new TelephonyError(error.code, text, error);
  // Node-RED's log prints the error as text; if nothing catches it, only that text names the recipient.
  return isAction(operation) ? Object.assign(error, { [Symbol.toPrimitive]: () => text }) : error;
}

/**
 * The error as Catch nodes are to get it. Node-RED gives them its text, which would start with the name of its class, its
 * `code` and its `cause`, which takes the rest of what is known.
 */
function forCatch(error: Error): Error {
  Object.assign(error, { toString: () => error.message });
  if (!(error instanceof TelephonyError)) return error;
  const { name: _name, code: _code, toString: _text, ...details } = error;
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return Object.assign(error, { cause: { ...Object.fromEntries(known), docs: error.docs } });
}

/**
 * Hands an error to Node-RED, which gives it to Catch nodes, or puts it into its log where there are none.
 *
 * @param node whose warning it is where Node-RED cannot take it
 * @returns whether it is known to be in the log: the log makes a text of it, and Catch nodes do not
 */
export function hand(error: Error, done: Done, node?: FlowNode): boolean {
  let isLogged = false;
  const text = String(forCatch(error));
  const logText = () => {
    isLogged = true;
    return text;
  };
  const handed = Object.assign(error, { [Symbol.toPrimitive]: logText });
  try {
    done(handed);
  } catch {
    // Catch nodes get the message as well, which Node-RED could not copy.
    node?.warn(text);
    return true;
  }
  return isLogged;
}
