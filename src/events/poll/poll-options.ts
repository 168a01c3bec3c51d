import type { EventId } from '../../definition/event-definition.ts';
import type { EventOptions } from '../deliver/event-options.ts';

/** Stores the polling cursor, so that events between two polls are delivered later. */
export interface CursorStore {
  /** Returns the cursor that was last written; null or undefined before the first one. */
  read(): string | null | undefined | Promise<string | null | undefined>;
  write(cursor: string): void | Promise<void>;
}

export interface PollOptions
  extends Pick<EventOptions, 'onEvent' | 'deliveryLog' | 'timeoutMs' | 'onOutcome'> {
  /** The ids of the events to poll. If not given, all that can be polled. */
  events?: readonly EventId[] | undefined;
  /** Stores the cursor. If not given, it lasts as long as the process. */
  cursor?: CursorStore | undefined;
}
