import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  definitions,
  type EventReport,
  eventDefinition,
  namedEvent,
  type ReceiveEvent,
  receiveEvents,
  TelephonyError,
  type TelephonyEvent,
  type TellOptions,
  WaitingReply,
} from '../../../src/index.ts';
import type { AccountNode } from '../account/account.ts';
import { editorId, type NodeRed } from '../node-red.ts';
import { publicAddressField } from '../settings/event-place.ts';
import { EventMemoryFile } from './event-memory-file.ts';
import { listenersOf } from './listeners.ts';
import { areRunning, flowsRun } from './running-flows.ts';

/** What was refused last, and why. */
export interface Refusal {
  at: Date;
  sentence: string;
}

/** Receives the events of an account, and tells the nodes of them. */
export interface Receiver {
  receive: ReceiveEvent;
  refused?: Refusal;
}

// Both outlive the nodes: a request may be under way while an account is deployed again.
const memories = new Map<string, EventMemoryFile>();
const receivers = new WeakMap<AccountNode, Receiver>();

/** Which events of an account were told; by its id in the editor. */
export function memoryOf(RED: NodeRed, account: string): EventMemoryFile {
  const known = memories.get(account);
  if (known) return known;
  const name = `${definitions.manifest.id}-events-${encodeURIComponent(account)}.jsonl`;
  const memory = new EventMemoryFile(join(RED.settings.userDir ?? '.', name), (fault) =>
    RED.log.warn(`After a restart it is not known which events came: ${fault}`),
  );
  memories.set(account, memory);
  return memory;
}

/** Tells the nodes that listen, and waits for the reply where the flow of one gives one. */
async function tell(
  RED: NodeRed,
  account: string,
  event: TelephonyEvent,
  { signal, note }: TellOptions,
): Promise<string | undefined> {
  await flowsRun();
  // The next deploy can have begun since.
  if (!areRunning()) throw new Error('The flows do not run.');
  const listeners = listenersOf(account, event.id);
  const { reply } = eventDefinition(event.id);
  const waiting =
    reply && listeners.some(({ replies }) => replies)
      ? new WaitingReply(RED.util.generateId(), event.id, signal)
      : undefined;
  const heard = listeners.map((one) => one.hear(event, one.replies ? waiting : undefined));
  // Messages arrive in the next turn. Nodes that are closed before get nothing.
  await setImmediate();
  if (heard.length > 0 && !heard.some((hasArrived) => hasArrived())) {
    waiting?.end();
    throw new Error('The flows were stopped.');
  }
  // The flows have it now, whatever becomes of the reply.
  await memoryOf(RED, account).told(note);
  return waiting?.text;
}

function newReceiver(RED: NodeRed, account: AccountNode): Receiver {
  const id = editorId(account);
  const warned = new Set<string>();
  function report(what: EventReport) {
    if (what.outcome === 'refused') {
      receiver.refused = { at: new Date(), sentence: what.sentence };
      // Anyone can send requests: the log is not to be filled by them.
      if (!warned.has(what.reason)) account.warn(what.sentence);
      warned.add(what.reason);
    }
    if (what.outcome === 'failed')
      account.warn(`${namedEvent(what.event)} could not be told: ${(what.error as Error).message}`);
    if (what.outcome === 'unsent')
      account.warn(`The reply to ${namedEvent(what.event)} came too late and was not sent.`);
  }
  const { label } = publicAddressField;
  const { eventPlace } = account;
  if (!eventPlace)
    throw new TelephonyError('settings', `The account needs a “${label}” for events.`);
  const receiver: Receiver = {
    receive: receiveEvents(account.settings(), {
      ...eventPlace,
      memory: memoryOf(RED, id),
      tell: (event, options) => tell(RED, id, event, options),
      report,
    }),
  };
  return receiver;
}

/**
 * Receives the events of an account.
 *
 * @throws {TelephonyError} when its settings do not say all that is needed for that
 */
export function receiverOf(RED: NodeRed, account: AccountNode): Receiver {
  const receiver = receivers.get(account) ?? newReceiver(RED, account);
  receivers.set(account, receiver);
  return receiver;
}
