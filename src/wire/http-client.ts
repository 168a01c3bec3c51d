import { Axios } from 'axios';
import { definitions } from '../../generated/definitions.ts';
import type { Account } from '../settings/check-settings.ts';
import { httpAdapter } from './http-adapter.ts';

const { id, version } = definitions.manifest;

/** What is read of an answer besides its body: by errors, by the retries and by whoever passes on a sound. */
const kept = [
  ...['twilio-request-id', 'retry-after'],
  ...['content-type', 'content-length', 'content-range', 'accept-ranges'],
];

/**
 * The axios that sends the requests of an account. It is not made by `axios.create`, whose defaults, such as how to
 * send JSON and to read it, cost as much time as a request itself and have no use here. It knows no credentials: its
 * adapter adds them to what is sent, so that no error of axios's can hold them.
 */
export function openClient({ username, password, origin, limits }: Account): Axios {
  const credentials = Buffer.from(`${username}:${password}`).toString('base64');
  const headers = {
    Accept: 'application/json',
    'Accept-Encoding': 'gzip, compress, deflate, br',
    Authorization: `Basic ${credentials}`,
    'User-Agent': `${id}-plugin/${version}`,
  };
  return new Axios({ adapter: httpAdapter({ origin, headers, kept, limits }) });
}
