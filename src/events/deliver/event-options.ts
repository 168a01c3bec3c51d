import type { Telephony } from '../../telephony.ts';
import type { DeliveryLog, EventIdentity } from './delivery-log.ts';
import type { GivenReply } from './reply.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** Why a request is refused. The sender doesn't learn it. */
export type RefusalReason = 'method' | 'size' | 'form' | 'query' | 'signature' | 'account';

/** A reply, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: an app that does not reply need not return anything
export type Reply = GivenReply | null | undefined | void;

/** The properties of some outcomes, so that a log can read them from any outcome. */
interface OutcomeDetails {
  event?: TelephonyEvent;
  /** A sentence for the owner of the app. */
  message?: string;
}

/** The outcome of a request, for logs and for a page that shows when the last event arrived. */
export type EventOutcome = OutcomeDetails & KnownOutcome;

type KnownOutcome =
  | { outcome: 'delivered' | 'duplicate' | 'stale'; event: TelephonyEvent }
  /** The event could not be delivered or recorded. The service may send it again, unless it got its response already. */
  | { outcome: 'failed'; event: TelephonyEvent; error: unknown }
  /**
   * The reply is too late or invalid, or the event can't be replied to; or the reply to a polled event failed, or may have. `reply` is what
   * the handler returned.
   */
  | {
      outcome: 'reply-not-sent' | 'reply-unknown';
      event: TelephonyEvent;
      reply: unknown;
      message: string;
    }
  /** The stored cursor is unreadable. */
  | { outcome: 'cursor-reset'; message: string }
  /** One poll found more events than it holds in memory. */
  | { outcome: 'postponed'; message: string }
  /** A poll skipped records that the service sent without their key, more than the poll before. */
  | { outcome: 'unreadable'; message: string }
  /** The service sent a request that is none of the events. */
  | { outcome: 'other' }
  /** The request is not from the service, or for another account. */
  | { outcome: 'refused'; reason: RefusalReason; message: string };

export interface EventContext {
  /** Aborts when a reply would be too late and, while polling, when the next event no longer waits. */
  signal: AbortSignal;
  /** When that is, by `performance.now()`. From then on, the service counts the event as received. */
  deadline: number;
  /** The identity that the delivery log stores, for an app that stores both in one transaction. */
  identity: EventIdentity;
  /**
   * Records the event as delivered before the handler ends. Call it if the reply may take long: polling then continues with the next event.
   */
  delivered(): Promise<void>;
  /**
   * Throws a `TelephonyError` with code `input` if a reply can't be sent: the event has no such reply, or a field is wrong. Returning
   * the reply then sends it.
   */
  checkReply(reply: GivenReply): void;
  /**
   * Counts a reply towards the limits of the account before it is returned, so that who gives it learns whether it will be sent. Rejects with
   * code `limit-reached`, or `input` if it is too late.
   *
   * @param by the account with the caller who replies, if not that of the options
   */
  countReply(reply: GivenReply, by?: Telephony): Promise<void>;
}

/** The webhook URL, and the key of the signatures. */
export interface WebhookOptions {
  /** The whole webhook URL, as entered at the service, such as `https://app.example.com/telephony/events`. */
  url: string;
  /**
   * The key of the signatures, if it is not the password: with an API key or a subaccount, the account's Auth Token; for a
   * compatible service, its signing key.
   */
  authToken?: string | null | undefined;
}

export interface EventOptions extends WebhookOptions {
  /**
   * Handles an event. The text or the form that it resolves to is the reply, if the event can have one. When it resolves, the event counts as
   * delivered; when it rejects, the service may send it again.
   */
  onEvent(event: TelephonyEvent, options: EventContext): Reply | Promise<Reply>;
  /** Records which events were delivered. If not given, this process remembers the last 10,000. */
  deliveryLog?: DeliveryLog | undefined;
  /** When the service gets its response, in milliseconds, even if the handler has not finished; 10,000 if not given. The service waits 15,000. */
  timeoutMs?: number | undefined;
  /** Returns the account whose `spending` counts replies, and may refuse them. Without it, replies are not limited. */
  telephony?: (() => Telephony | Promise<Telephony>) | undefined;
  /** Called with the outcome of each request. What it throws is ignored. */
  onOutcome?: ((report: EventOutcome) => void) | undefined;
}

/** The types of the options that webhooks and polling share. */
export const handlerOptions = {
  onEvent: 'function',
  deliveryLog: ['begin', 'delivered', 'release'],
  timeoutMs: 'milliseconds',
  onOutcome: 'function',
} as const;
