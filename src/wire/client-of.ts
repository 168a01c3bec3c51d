import type { Axios } from 'axios';
import { oncePer } from '../once-per.ts';
import type { Endpoint } from './connection.ts';

/**
 * Returns the client of an endpoint. Loads axios with the first request, because axios takes more time and memory to load than
 * the rest of this package.
 */
export const clientOf = oncePer(async (endpoint: Endpoint): Promise<Axios> => {
  const { openClient } = await import('./http-client.ts');
  return openClient(endpoint);
});
