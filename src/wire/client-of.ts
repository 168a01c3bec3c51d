import type { Axios } from 'axios';
import { oncePer } from '../once-per.ts';
import type { Place } from './connection.ts';

/**
 * The client of a place. It is loaded when a request is first sent: axios costs a server more, in time and memory,
 * than all else that this package loads.
 */
export const clientOf = oncePer(async (place: Place): Promise<Axios> => {
  const { openClient } = await import('./http-client.ts');
  return openClient(place);
});
