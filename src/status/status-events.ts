type Listener = () => void;

const listeners = new Map<string, Set<Listener>>();

/**
 * Calls a listener when this process receives an event of a record.
 *
 * @param sid the record's SID
 * @returns a function that unsubscribes it
 */
export function onStatusEvent(sid: string, listener: Listener): () => void {
  const all = listeners.get(sid) ?? new Set();
  listeners.set(sid, all.add(listener));
  return () => {
    all.delete(listener);
    if (all.size === 0) listeners.delete(sid);
  };
}

/** Calls the listeners of a record. */
export function emitStatusEvent(sid: unknown): void {
  for (const listener of [...(listeners.get(String(sid)) ?? [])]) listener();
}
