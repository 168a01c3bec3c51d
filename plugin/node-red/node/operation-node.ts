import type { Operation, Telephony } from '../../../src/index.ts';
import { type AccountNode, accountOf } from '../account/account.ts';
import { mediaUrl } from '../media/media-route.ts';
import type { FlowConfig, FlowNode, Message, NodeRed, Send } from '../node-red.ts';
import { failed, requesting, succeeded } from './node-status.ts';
import { nodeType } from './node-type.ts';
import { readInput } from './read-input.ts';

/** What is sent on in one message. */
export interface Outgoing {
  records: object[];
  /** For a list, whether the service has more records than were sent so far. */
  more?: boolean;
  /** For a page, its place among the pages, as Node-RED's Join node understands it. */
  parts?: { id: string; type: 'array'; index: number; len: number; count?: number };
}

/** What an operation is run with for a message. */
export interface Run {
  telephony: Telephony;
  input: object;
  config: FlowConfig;
  signal: AbortSignal;
}

/** Runs an operation, and gives what is to be sent on. Can throw also after some of it. */
export type Perform = (run: Run) => AsyncIterable<Outgoing>;

/** What belongs to one node of an operation. */
interface Place {
  RED: NodeRed;
  operation: Operation;
  perform: Perform;
  node: FlowNode;
  config: FlowConfig;
  signal: AbortSignal;
}

/** What came in, with what was answered in place of its payload. */
function answer({ RED, operation }: Place, account: AccountNode, came: Message, sent: Outgoing) {
  const payload = sent.records.map((record) => {
    const media = account.givesOutMedia && mediaUrl(RED, account.id, operation.result.of, record);
    return media ? { ...record, media } : record;
  });
  const { more, parts } = sent;
  return {
    ...RED.util.cloneMessage(came),
    payload: 'list' in operation.result ? payload : payload[0],
    ...(more !== undefined && { more }),
    ...(parts && { parts: { ...parts, ...(came.parts && { parts: came.parts }) } }),
  };
}

async function run(place: Place, message: Message, send: Send) {
  const { RED, operation, node, config, signal } = place;
  const account = accountOf(RED, config.account);
  const telephony = account.telephony();
  const input = await readInput(RED, operation, config, node, message);
  node.status(requesting);
  let count = 0;
  for await (const sent of place.perform({ telephony, input, config, signal })) {
    if (signal.aborted) return;
    send(answer(place, account, message, sent));
    count += sent.records.length;
    node.status(succeeded(operation, sent, count));
  }
}

// Node-RED gives Catch nodes the error as a text, which would start with the name of its class.
const forCatch = (error: Error) => Object.assign(error, { toString: () => error.message });

const isStopped = (error: unknown) => (error as { code?: string }).code === 'aborted';

async function receive(place: Place, message: Message, send: Send, done: (error?: Error) => void) {
  try {
    await run(place, message, send);
    done();
  } catch (error) {
    if (place.signal.aborted && isStopped(error)) return done();
    if (!place.signal.aborted) place.node.status(failed(error));
    done(forCatch(error as Error));
  }
}

/**
 * Registers the node of an operation: a message comes in, the operation is run, and the message goes on with the answer
 * as its payload. Whatever is under way when the node is closed is stopped.
 *
 * @param perform how the operation is run
 */
export function registerNode(RED: NodeRed, operation: Operation, perform: Perform) {
  function construct(this: FlowNode, config: FlowConfig) {
    RED.nodes.createNode(this, config);
    const closed = new AbortController();
    const place = { RED, operation, perform, node: this, config, signal: closed.signal };
    this.on('input', (message, send, done) => void receive(place, message, send, done));
    this.on('close', () => {
      closed.abort();
      this.status({});
    });
  }
  RED.nodes.registerType(nodeType(operation.id), construct);
}
