import type { EventId } from '../../definition/event-definition.ts';
import type { EventOptions } from '../deliver/event-options.ts';

/** Stores the polling cursor, so that what happens between polls is delivered later. */
export interface CursorStore {
  /** What was written last; nothing before. */
  read(): string | null | undefined | Promise<string | null | undefined>;
  write(cursor: string): void | Promise<void>;
}

export interface PollOptions
  extends Pick<EventOptions, 'onEvent' | 'deliveryLog' | 'timeoutMs' | 'onOutcome'> {
  /** The events to poll; all that lists show, if not given. */
  events?: readonly EventId[] | undefined;
  /** Stores the cursor; as long as the process lasts, if not given. */
  cursor?: CursorStore | undefined;
}
