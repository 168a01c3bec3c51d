import { aboutValues, isAction, type Operation, TelephonyError } from '../../../src/builder.ts';
import type { Done, FlowNode } from '../node-red.ts';

type InputValues = Record<string, unknown>;

const named = (operation: Operation, input: InputValues) =>
  `"${operation.name}" (${aboutValues(operation, input)})`.replace(' ()', '');

/** Reports an action that succeeded after its node was closed. */
export const lateReport = (operation: Operation, input: InputValues): string =>
  `${named(operation, input)} succeeded while its node was closed.`;

/**
 * The error to report for an operation that failed or was stopped.
 *
 * @param input the operation's input
 * @param isClosing whether the node is closing, so that the report may appear without its message
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

/** The details of an error. Node-RED's debug sidebar shows the cause of an error as text. */
class Details {
  constructor(details: object) {
    Object.assign(this, details);
  }
  toString() {
    return JSON.stringify(this);
  }
}

/**
 * Prepares an error for Catch nodes. They get its text, which would otherwise start with the name of its class, its
 * `code`, and its `cause`, which holds the other details.
 */
function forCatch(error: Error): Error {
  Object.assign(error, { toString: () => error.message });
  if (!(error instanceof TelephonyError)) return error;
  const { name: _name, code: _code, toString: _text, ...details } = error;
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  const cause = new Details({ ...Object.fromEntries(known), docs: error.docs });
  return Object.assign(error, { cause });
}

/**
 * Passes an error to Node-RED, which passes it to Catch nodes or, without any, logs it.
 *
 * @param node logs a warning if Node-RED can't take the error
 * @returns whether the error is in the log: unlike Catch nodes, the log converts it to text
 */
export function passToNodeRed(error: Error, done: Done, node?: FlowNode): boolean {
  let isLogged = false;
  const text = String(forCatch(error));
  const logText = () => {
    isLogged = true;
    return text;
  };
  const logged = Object.assign(error, { [Symbol.toPrimitive]: logText });
  try {
    done(logged);
  } catch {
    // Catch nodes also get the message, which Node-RED could not copy.
    node?.warn(text);
    return true;
  }
  return isLogged;
}
