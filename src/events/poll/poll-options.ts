import type { EventOptions } from '../deliver/event-options.ts';

/** Keeps how far events were read, so that what happens while nobody asks is told later. */
export interface PolledSoFar {
  /** What was written last; nothing before. */
  read(): string | null | undefined | Promise<string | null | undefined>;
  write(soFar: string): void | Promise<void>;
}

export interface PollOptions extends Pick<EventOptions, 'tell' | 'memory' | 'patience' | 'report'> {
  /** Which events are asked for; all that lists show, if not given. */
  events?: readonly string[] | undefined;
  /** Keeps how far they were read; as long as the process lasts, if not given. */
  soFar?: PolledSoFar | undefined;
}
