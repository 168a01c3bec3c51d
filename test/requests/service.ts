import nock from 'nock';
import { connect, type Limits } from '../../src/builder.ts';

// nock patches `node:http` on import, also for later test files in the same process.
nock.restore();

export const account = {
  username: 'AC00000000000000000000000000000001',
  password: 'not-a-real-token-5a5a',
  baseUrl: 'https://service.test',
  contentUrl: 'https://service.test',
  lookupsUrl: 'https://service.test',
  verifyUrl: 'https://service.test',
};

export const accountPath = `/2010-04-01/Accounts/${account.username}`;
export const basic = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;

/** A request as it was sent. */
export interface Sent {
  method: string;
  path: string;
  body: string;
  headers: Record<string, unknown>;
}

export interface ServiceAnswer {
  status: number;
  body: object | string;
  headers?: Record<string, string>;
}

/**
 * Answers the next requests to a host in order, and records them.
 *
 * @param answers a response for each request
 * @param origin the host
 */
export function answerWith(answers: ServiceAnswer[], origin = account.baseUrl): Sent[] {
  const sent: Sent[] = [];
  for (const method of ['GET', 'POST', 'DELETE'])
    nock(origin)
      .persist()
      .intercept(/.*/, method)
      .reply(function (path, requestBody) {
        // nock opens no connection, so this header means nothing.
        const { connection: _, ...headers } = this.req.headers;
        sent.push({ method, path, body: String(requestBody), headers });
        const answer = answers[sent.length - 1];
        if (!answer) return [599, `Request ${sent.length} was not expected: ${method} ${path}`];
        return [answer.status, answer.body, answer.headers ?? {}];
      });
  return sent;
}

export const telephony = (limits: Partial<Limits> = {}) => connect({ ...account, limits });

/** Blocks all requests without an answer, and removes the answers after each test. */
export function isolate() {
  beforeAll(() => {
    nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => nock.cleanAll());
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });
}
