import { setTimeout } from 'node:timers/promises';
import { closeAfterwards } from '../../support/close-afterwards.ts';
import { type Loose, model, saltcorn } from '../host.ts';

export interface CrashLog {
  /** Its entries, including those that Saltcorn is still writing. */
  entries(): Promise<Loose[]>;
  /** Their messages. */
  messages(): Promise<string[]>;
  clear(): Promise<void>;
}

/** Saltcorn's crash log from now on. Saltcorn itself does not wait until an entry is written. */
export function openCrashLog(): CrashLog {
  const Crash = model('crash');
  const create = Crash.create.bind(Crash);
  const writes: Promise<void>[] = [];
  Crash.create = (...about: unknown[]) => {
    const write = create(...about);
    writes.push(write);
    return write;
  };
  const written = () => Promise.allSettled(writes);
  // Saltcorn runs its triggers for an entry in a timer that ends before this one.
  closeAfterwards({ close: () => written().then(() => setTimeout(1)) });
  const entries = async () => {
    await written();
    return Crash.find({});
  };
  return {
    entries,
    messages: async () => (await entries()).map(({ message }: Loose) => message),
    async clear() {
      await written();
      await saltcorn('data/db').deleteWhere('_sc_errors', {});
    },
  };
}
