import { oncePer } from '../async/once.ts';
import type { Connection } from '../wire/connection.ts';
import { testConnection } from './test-connection.ts';

// Once, because a service whose responses have no date won't send one later either.
const requestTime = oncePer((connection: Connection) =>
  testConnection({ connection, signal: undefined, waitSignal: undefined }),
);

/** Returns the service's time, or a little earlier. If its responses have no date, returns this machine's time. */
export async function serviceTime(connection: Connection): Promise<Date> {
  const knownTime = () => connection.clock.at(performance.now())?.earliest;
  if (knownTime() === undefined) await requestTime(connection);
  return new Date(knownTime() ?? Date.now());
}
