import type { RefusalReason } from '../receive/webhook-request.ts';
import type { DeliveryLog, EventIdentity } from './delivery-log.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** The text of a reply, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: an app that has nothing to say need not return anything
export type Reply = string | null | undefined | void;

/** The outcome of a request, for logs and for a page that shows when the last event came. */
export type EventOutcome =
  | { outcome: 'delivered' | 'duplicate' | 'stale'; event: TelephonyEvent }
  /** It could not be told or noted. Before it was answered the service may report it again, later it will not. */
  | { outcome: 'failed'; event: TelephonyEvent; error: unknown }
  /** A reply that is too late or too long, or to an event without replies; it was not sent. */
  | { outcome: 'reply-not-sent'; event: TelephonyEvent; reply: string }
  /** The stored cursor is broken; the sentence is for the owner of the app. */
  | { outcome: 'cursor-reset'; sentence: string }
  /** One poll found more events than it holds in memory; the sentence is for the owner of the app. */
  | { outcome: 'postponed'; sentence: string }
  /** Something that the service reports and that is none of the events. */
  | { outcome: 'other' }
  /** Not from the service, or not for us; the sentence is for the owner of the app. */
  | { outcome: 'refused'; reason: RefusalReason; sentence: string };

export interface EventContext {
  /** Aborts when a reply would be too late and, while polling, when the next event no longer waits. */
  signal: AbortSignal;
  /** When that is, on the clock of `performance.now()`: from then on the service believes that the event was received. */
  deadline: number;
  /** What the memory keeps of the event, for an app that writes down both in one transaction. */
  identity: EventIdentity;
}

/** Where events come, and what they are signed by. */
export interface WebhookOptions {
  /** The whole address at which the service reaches the app, such as `https://app.example.com/telephony/events`. */
  url: string;
  /**
   * What the service signs by, where that is not the password of the settings: with an API key or for a subaccount the Auth
   * Token of the account; the signing key of a compatible service that has one.
   */
  authToken?: string | null | undefined;
}

export interface EventOptions extends WebhookOptions {
  /**
   * Tells the app of an event; what it resolves to is sent back as the reply, if the event can have one. What is done when
   * it resolves is done for good, as far as the service knows.
   */
  onEvent(event: TelephonyEvent, options: EventContext): Reply | Promise<Reply>;
  /** Remembers which events were delivered; as long as the process lasts, if not given. */
  deliveryLog?: DeliveryLog | undefined;
  /** After how many milliseconds the service is answered, whatever the app does; 10,000 if not given. It waits for 15,000. */
  timeoutMs?: number | undefined;
  /** Is called with the outcome of each request. */
  onOutcome?: ((report: EventOutcome) => void) | undefined;
}
