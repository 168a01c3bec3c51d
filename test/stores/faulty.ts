import type { Store } from '../../src/builder.ts';

const verbs = ['get', 'insert', 'swap', 'find', 'expire'] as const;

/** Wraps each verb of a store. */
function wrapped(store: Store, wrap: (verb: () => Promise<unknown>) => Promise<unknown>): Store {
  const changed = verbs.map((verb) => [
    verb,
    (...given: [never, never, never]) => wrap(() => store[verb](...given)),
  ]);
  return Object.fromEntries(changed);
}

const forever = () => new Promise<never>(() => {});

/** A store of a process that is killed before or after its nth call. */
export function killedAt(store: Store, step: number, isDone: boolean, kill: () => void): Store {
  let count = 0;
  return wrapped(store, async (verb) => {
    count += 1;
    if (count > step) return forever();
    if (count < step) return verb();
    if (isDone) await verb();
    kill();
    return forever();
  });
}

/** A store that can be unavailable. */
export function unsteady(store: Store) {
  const state = { isAway: false };
  const act = async (verb: () => Promise<unknown>) => {
    if (state.isAway) throw new Error('The database is away.');
    return verb();
  };
  return { state, store: wrapped(store, act) };
}
