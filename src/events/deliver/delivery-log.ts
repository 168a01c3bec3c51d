/** What identifies an event, so that it is delivered once and a late one replaces nothing: texts and numbers that a table can hold. */
export interface EventIdentity {
  /** The same for two requests that report the same, whatever else is in them. */
  key: string;
  /** The same for two requests that are signed the same: one with another key is made of the other. */
  signature: string;
  /** Whose steps are in order: the kind of event and its record. */
  subject: string;
  /** The step of the record's life; -1 if unknown. */
  step: number;
  /** It is late when another event of the same subject is known whose step is this or more. */
  lateFrom: number;
}

/**
 * What is known of an event when it arrives: nothing; that it was delivered; that it is being delivered; or that it comes after
 * one that counts more.
 */
export type DeliveryState = 'new' | 'delivered' | 'in-progress' | 'stale';

type Maybe<Value> = Value | Promise<Value>;

/** Remembers which events were delivered. Processes that share it need one place for it, such as a table. */
export interface DeliveryLog {
  /**
   * Returns what is known of an event, and records a new one as in progress: in one step, so that of two processes that ask for
   * the same one only one gets `new`. An event is known by its key or by its signature. One that has been in progress
   * for longer than telling takes, since its process ended, is `new` again.
   */
  begin(note: EventIdentity): Maybe<DeliveryState>;
  /** It was delivered. */
  delivered(note: EventIdentity): Maybe<void>;
  /** It could not be told: it is as if it had never come. */
  release(note: EventIdentity): Maybe<void>;
}
