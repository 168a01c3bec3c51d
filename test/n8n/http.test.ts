import { createRequire } from 'node:module';
import { join } from 'node:path';
import { httpOf } from '../../plugin/n8n/account/http.ts';
import type { Http } from '../../src/builder.ts';
import { type Differences, endOf, endWith } from '../faults/ends.ts';
import { faults } from '../faults/fault-table.ts';
import { openRawServer } from '../faults/open-raw-server.ts';
import { runFaults } from '../faults/run-against-fault.ts';
import { sms, telephonyAt } from '../faults/service.ts';
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

const nodeHttp: Http = (sent) => {
  const { request, requestLegacy } = n8nRequest();
  return httpOf({ httpRequest: request, request: requestLegacy })(sent);
};
const credentialHttp: Http = (sent) => httpOf({ request: n8nRequest().requestLegacy })(sent);

describe('each fault', () => {
  const ways = [
    ['read', 'the HTTP functions of a node', nodeHttp],
    ['write', 'the HTTP functions of a node', nodeHttp],
    ['read', 'the HTTP function that tests a credential', credentialHttp],
  ] as const;
  const ended = runFaults(faults, ways);

  describe.each(faults)('$name', (fault) => {
    test.each(ways)('a %s over %s ends as expected', async (operation, over) => {
      const { outcome } = await ended(fault, operation, over);
      expect(endOf(outcome)).toEqual(endWith(differences, fault, operation));
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
