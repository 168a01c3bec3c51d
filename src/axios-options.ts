import http from 'node:http';
import https from 'node:https';
import { definitions } from '../generated/definitions.ts';
import type { Request } from './build-request.ts';
import type { Account } from './check-settings.ts';

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

const headers = {
  Accept: 'application/json',
  'User-Agent': `${definitions.manifest.id}-plugin/${definitions.manifest.version}`,
};
const formHeaders = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };

/** How axios sends a request of an account: signed, to nowhere else, and whatever the status of the answer. */
export const axiosOptions = (account: Account, { method, url, body }: Request) => ({
  method,
  url,
  data: body,
  auth: { username: account.username, password: account.password },
  headers: body === undefined ? headers : formHeaders,
  httpAgent,
  httpsAgent,
  proxy: false as const,
  maxRedirects: 0,
  timeout: account.limits.silence,
  validateStatus: () => true,
});
