/** Identifies an event, so that it is delivered once, and not at all if it is stale. Its texts and numbers fit into table columns. */
export interface EventIdentity {
  /** Equal for two requests that report the same event. */
  key: string;
  /** Equal for two requests with the same signature: if their keys differ, one is forged from the other. */
  signature: string;
  /** The kind of event and its record, whose events are delivered in order. */
  subject: string;
  /** The step in the record's life; -1 if unknown. */
  step: number;
  /** The event is stale if another one of the same subject has at least this step. */
  lateFrom: number;
}

/** The state of an event when it arrives. A stale one comes after a later step of the same record. */
export type DeliveryState = 'new' | 'delivered' | 'in-progress' | 'stale';

type Maybe<Value> = Value | Promise<Value>;

/** Records which events were delivered. To share it, processes need a shared store, such as a table. */
export interface DeliveryLog {
  /**
   * Returns the state of an event, and records a new one as in progress. Both are one step, so that only one of two processes gets
   * `new`. An event is known by its key or its signature. One that has been in progress for longer than a delivery takes, because
   * its process ended, is `new` again.
   */
  begin(event: EventIdentity): Maybe<DeliveryState>;
  /** Records that the event was delivered. */
  delivered(event: EventIdentity): Maybe<void>;
  /** Removes an event whose delivery failed, as if it had never arrived. */
  release(event: EventIdentity): Maybe<void>;
}
