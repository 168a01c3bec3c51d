import { oncePer } from '../once-per.ts';
import type { Connection } from '../wire/connection.ts';
import { testConnection } from './test-connection.ts';

// Once: a service that does not say what time it is now does not do so later.
const ask = oncePer((connection: Connection) =>
  testConnection({ connection, signal: undefined, waitSignal: undefined }),
);

/** What time it is at the service, or a little earlier; the time here where it does not say so. */
export async function serviceTime(connection: Connection): Promise<Date> {
  const known = () => connection.clock.at(performance.now())?.earliest;
  if (known() === undefined) await ask(connection);
  return new Date(known() ?? Date.now());
}
