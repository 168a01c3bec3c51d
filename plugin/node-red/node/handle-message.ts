import {
  isAction,
  isScheduled,
  type Operation,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';
import { type AccountNode, accountOf } from '../account/account.ts';
import type { Done, FlowConfig, Message, NodeRed, Send } from '../node-red.ts';
import { type Outgoing, outgoingMessage } from './outgoing.ts';
import { readInput, readRecipients, type Source } from './read-input.ts';
import { faultOf, lateReport, passToNodeRed } from './report.ts';
import { tryResult } from './result-property.ts';
import type { Run, Runs } from './runs.ts';
import type { StatusLine } from './status-line.ts';
import { withSender } from './with-sender.ts';

/** What an operation runs with. */
export interface Task extends Run {
  account: AccountNode;
  telephony: Telephony;
  input: object;
  config: FlowConfig;
}

/** Runs an operation and yields its results. May throw after some of them. */
export type Perform = (task: Task) => AsyncIterable<Outgoing>;

/** The parts of an operation's node. */
export interface OperationNode extends Source {
  operation: Operation;
  perform: Perform;
  status: StatusLine;
  runs: Runs;
}

/** An incoming message, and the functions that pass its outcome to Node-RED. */
export interface Incoming {
  message: Message;
  send: Send;
  done: Done;
  /** The recipient, if the message names one. */
  recipient?: Record<string, unknown> | undefined;
  /** Whether no other node has the message, so that it need not be copied. */
  isCopy?: boolean;
}

/** Copies a message. Fails, before anything is sent, if the message can't be copied. */
export function copyOf(RED: NodeRed, message: Message): Message {
  try {
    return RED.util.cloneMessage(message);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const sentence = `The message cannot be copied (${why}), so nothing was sent. Remove the property that cannot be read.`;
    throw new TelephonyError('input', sentence);
  }
}

/**
 * Runs the operation for a message and sends the result to the next nodes. While the node closes, it also logs the
 * outcome, because the flow's other nodes may be closed already.
 */
export async function handleMessage(
  own: OperationNode,
  run: Run,
  incoming: Incoming,
): Promise<void> {
  const { RED, operation, node, config, status, runs, perform } = own;
  const { message, send, done, recipient, isCopy = false } = incoming;
  let input: Record<string, unknown> = {};
  status.began();
  try {
    input = await readInput(operation, own, message, recipient);
    // The account of a closing node may no longer exist.
    if (run.stop.aborted) throw new TelephonyError('aborted', 'Stopped before it started.');
    tryResult(RED, config, message);
    const copy = isCopy ? message : copyOf(RED, message);
    const account = accountOf(RED, config.account);
    const telephony = account.telephony();
    input = withSender(operation, input, account);
    let count = 0;
    let isLater = false;
    for await (const result of perform({ ...run, account, telephony, input, config })) {
      send(outgoingMessage(RED, operation, config, account, copy, result));
      count += result.records.length;
      isLater = isAction(operation) && result.records.some((one) => isScheduled(operation, one));
      if (result.hint) node.warn(result.hint);
      status.sent(count, result.more === true);
      if (runs.isClosing && isAction(operation)) node.warn(lateReport(operation, input));
    }
    status.ended(undefined, isLater);
    done();
  } catch (error) {
    const fault = faultOf(error, operation, input, runs.isClosing);
    status.ended(fault);
    const isLogged = passToNodeRed(fault, done, node);
    if (runs.isClosing && !isLogged) node.warn(fault.message);
  }
}

type Single = Pick<Incoming, 'message' | 'recipient' | 'isCopy'>;

/**
 * Returns a message for each recipient that a message lists, or itself. They share one copy, which can contain all recipients. What is wrong with the message, the account or
 * an input, `handleMessage` reports.
 */
async function singlesOf(
  { RED, operation, config, ...source }: OperationNode,
  message: Message,
): Promise<Single[]> {
  try {
    const { cleanPhone } = accountOf(RED, config.account).telephony();
    const inputs = { RED, config, ...source };
    const { recipients, isList } = await readRecipients(operation, inputs, message, cleanPhone);
    if (!isList) return [{ message, recipient: recipients[0] }];
    const copy = copyOf(RED, message);
    const parts = { id: RED.util.generateId(), type: 'array', count: recipients.length };
    const outer = copy.parts && { parts: copy.parts };
    return recipients.map((recipient, index) => ({
      ...{ recipient, isCopy: true },
      message: { ...copy, ...recipient, parts: { ...parts, index, ...outer } },
    }));
  } catch {
    return [{ message }];
  }
}

/**
 * Handles a message once for each recipient that it lists. Each has a message of its own, which goes to the next nodes or, with its error, to Catch nodes; a Join
 * node can put them together. The message is complete if no recipient has failed.
 */
export async function handleRecipients(
  own: OperationNode,
  run: Run,
  { message, send, done }: Incoming,
): Promise<void> {
  const singles = await singlesOf(own, message);
  const [first = { message }] = singles;
  if (!first.isCopy) return handleMessage(own, run, { ...first, send, done });
  let hasFailed = false;
  const handle = (single: Single) => {
    const end: Done = (error) => {
      hasFailed ||= error !== undefined;
      if (error) own.node.error(error, single.message);
    };
    return handleMessage(own, run, { ...single, send, done: end });
  };
  await Promise.all(singles.map(handle));
  if (!hasFailed) done();
}
