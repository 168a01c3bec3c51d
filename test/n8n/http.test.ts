import { createRequire } from 'node:module';
import { join } from 'node:path';
import { httpOf } from '../../plugin/n8n/account/http.ts';
import { type Differences, endOf, endWith } from '../faults/ends.ts';
import { faults } from '../faults/fault-table.ts';
import { openRawServer } from '../faults/open-raw-server.ts';
import { runAgainstFault } from '../faults/run-against-fault.ts';
import { skipRetryWaits, sms, telephonyAt } from '../faults/service.ts';
import { errorOf } from '../requests/errors.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { root } from '../support/root.ts';

skipWithout(needs.n8n);

/** Returns the functions by which n8n sends what the helpers get. */
function n8nRequest(options?: object) {
  const load = createRequire(join(root, 'demo/n8n/package.json'));
  load('reflect-metadata');
  const { OutboundHttp, configureGlobalAxiosDefaults } = load('@n8n/backend-network');
  configureGlobalAxiosDefaults();
  return load('@n8n/di').Container.get(OutboundHttp).requests(options);
}

const differences: Differences = {
  unproven: [
    'an https URL of an http server',
    'a TLS handshake without an answer',
    'a reset in the TLS handshake',
  ],
  broken: ['a chunk without a valid size'],
  others: { 'status 101 to another protocol, read': { code: 'timeout' } },
};

function nodeHttp() {
  const { request, requestLegacy } = n8nRequest();
  return httpOf({ httpRequest: request, request: requestLegacy });
}
const credentialHttp = () => httpOf({ request: n8nRequest().requestLegacy });

const ways = [
  ['a read over n8n', 'read', nodeHttp],
  ['a write over n8n', 'write', nodeHttp],
  ['the test of a credential', 'read', credentialHttp],
] as const;

describe('each fault', () => {
  /** How many are tried at the same time: most wait for a timeout. */
  const lanes = 6;
  const runs = new Map<string, ReturnType<typeof runAgainstFault>>();

  beforeAll(async () => {
    skipRetryWaits();
    const left = faults.flatMap((fault) => ways.map((way) => ({ fault, way })));
    async function tryNext() {
      for (let next = left.shift(); next; next = left.shift()) {
        const [name, operation, http] = next.way;
        const run = runAgainstFault(next.fault, operation, http());
        runs.set(`${next.fault.name}, ${name}`, run);
        // Its own test fails.
        await run.catch(() => {});
      }
    }
    await Promise.all(Array.from({ length: lanes }, tryNext));
  });
  afterAll(() => jest.restoreAllMocks());

  describe.each(faults)('$name', (fault) => {
    test.each(ways)('%s ends as expected', async (name, operation) => {
      const { outcome } = (await runs.get(`${fault.name}, ${name}`)) ?? {};
      expect(outcome && endOf(outcome)).toEqual(endWith(differences, fault, operation));
    });
  });
});

test('an internal address that n8n protects gets nothing, and the error says so', async () => {
  const { url, received } = await openRawServer(() => {});
  const { request, requestLegacy } = n8nRequest({ useDefaultSsrfPolicy: 'enforced' });
  const http = httpOf({ httpRequest: request, request: requestLegacy });
  for (const host of ['127.0.0.1', 'localhost']) {
    const telephony = telephonyAt(url.replace('127.0.0.1', host), { maxAttempts: 1 }, http);
    expect(await errorOf(telephony.run('send-sms', sms))).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('(ERR_BLOCKED_BY_N8N)'),
    });
  }
  expect(received).toEqual([]);
});
