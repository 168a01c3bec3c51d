import { sleep } from 'n8n-workflow';

// n8n's rules allow no other timer. Earlier versions ignore its signal, and wait to the end.
export { sleep };

/** Calls a function after a time. Returns a function that stops it. */
export function startTimer(ms: number, act: () => void): () => void {
  const stop = new AbortController();
  const end = () => stop.signal.aborted || act();
  sleep(ms, stop.signal).then(end, () => {});
  return () => stop.abort();
}

/** Waits until what else is waiting had its turn. */
export const nextTurn = (): Promise<void> => sleep(0);
