import { spawnSync } from 'node:child_process';
import {
  connect,
  defaultLimits,
  definitions,
  type ErrorCode,
  TelephonyError,
} from '../../src/builder.ts';
import { waitBeforeRetry } from '../../src/wire/retry.ts';
import { readDocument, sectionOf } from '../support/document.ts';
import { root } from '../support/root.ts';

/** The cells of a section's only table, row by row, without code marks. */
const rowsOf = (page: string, heading: string) =>
  [...sectionOf(readDocument(page), heading).matchAll(/^\| (.+) \|$/gm)]
    .slice(1)
    .map(([, row = '']) => row.replaceAll('`', '').split(' | '));

describe('the explanations of error codes', () => {
  const explanations = sectionOf(readDocument('docs/troubleshooting.md'), 'Error codes');
  const [, union = ''] = readDocument('src/telephony-error.ts').match(/ErrorCode =([^;]+);/) ?? [];
  const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code as ErrorCode);

  test('have a heading for every code, in the order of the type', () => {
    const [, part = ''] = readDocument('docs/troubleshooting.md').split('\n## Error codes\n');
    const headings = [...part.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
    expect(codes).toContain('unknown-outcome');
    expect(headings).toEqual(codes);
  });

  test.each(codes)('are where an error with the code %s says', (code) => {
    const [path = '', anchor] = new TelephonyError(code, 'It failed.').docs.split('#');
    expect([path, anchor]).toEqual(['docs/troubleshooting.md', code]);
    expect(sectionOf(readDocument(path), code)).toMatch(/\w/);
  });

  test('say that only unknown-outcome must not be retried', () => {
    const [, unsafe] = explanations.match(/after every code but one: after `([\w-]+)`/) ?? [];
    expect(unsafe).toBe('unknown-outcome');
  });

  // Without waits.
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  /** How long the plugin waits before it retries after an error; undefined if it does not. */
  const waitAfter = (code: ErrorCode) =>
    waitBeforeRetry(new TelephonyError(code, 'It failed.'), 1, defaultLimits, Date.now() + 1_000);

  test('name the codes that the plugin retries', () => {
    const [, retried = ''] = explanations.match(/already retried (.+)\./) ?? [];
    expect([...retried.matchAll(/`([\w-]+)`/g)].map(([, code]) => code)).toEqual(
      codes.filter((code) => waitAfter(code) !== undefined),
    );
  });
});

test('every error of the service is where the page about problems sends you', () => {
  const listed = sectionOf(readDocument('docs/reference.md'), 'Errors of the service');
  const numbers = [...listed.matchAll(/^\|([\d, ]+)\|/gm)].flatMap(([, row = '']) =>
    row.split(', '),
  );
  const known = definitions.errors.map(({ code }) => `${code}`);
  expect(numbers.toSorted()).toEqual(known.toSorted());
  expect(sectionOf(readDocument('docs/troubleshooting.md'), 'An SMS is not sent')).toContain(
    '(reference.md#errors-of-the-service)',
  );
});

test('the table of limits lists the defaults of an account', () => {
  const {
    idleTimeoutMs,
    timeoutMs,
    maxResponseBytes,
    maxAttempts,
    retryBudgetMs,
    concurrency,
    batchConcurrency,
    confirmTimeoutMs,
  } = defaultLimits;
  expect(rowsOf('docs/limits.md', 'Limits').map(([, most, name]) => [name, most])).toEqual([
    ['idleTimeoutMs', `${idleTimeoutMs / 1000} seconds`],
    ['timeoutMs', `${timeoutMs / 1000} seconds`],
    ['maxResponseBytes', `${maxResponseBytes / 1_000_000} MB`],
    ['maxAttempts', `${maxAttempts} times`],
    ['concurrency', `${concurrency}`],
    ['batchConcurrency', `${batchConcurrency}, growing from five`],
    ['retryBudgetMs', `${retryBudgetMs / 1000} seconds`],
    ['confirmTimeoutMs', `${confirmTimeoutMs / 1000} seconds`],
  ]);
});

const addresses = ['Regional hosts', 'Compatible services'].flatMap((heading) =>
  rowsOf('docs/account.md', heading).map(([baseUrl = '']) => baseUrl),
);

test.each(addresses)('connect accepts the documented base URL %s', (baseUrl) => {
  expect(() => connect({ username: 'AC1', password: 'x', baseUrl })).not.toThrow();
});

// The service no longer has hosts with an edge or a region alone.
test('every documented regional host has an edge and a region', () => {
  const ours = addresses.filter((address) => address.endsWith('.twilio.com'));
  expect(ours.length).toBeGreaterThan(1);
  for (const address of ours) expect(address).toMatch(/^https:\/\/api\.[a-z]+\.[a-z]{2}\d\.twilio/);
});

test('code in src/ and plugin/ writes files and logs only in the listed files', () => {
  const ways = 'console\\.|\\.(log|warn)\\(|writeFile|appendFile|createWriteStream';
  const { stdout } = spawnSync('grep', ['-rlE', ways, 'src', 'plugin'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = stdout.trim().split('\n').sort();
  expect(files).toEqual([
    'plugin/gateway/deliveries.ts',
    'plugin/gateway/http/server.ts',
    'plugin/n8n/event/webhook-trigger.ts',
    'plugin/nocobase/client-v2/set-up.ts',
    'plugin/nocobase/server/event/log-events.ts',
    'plugin/node-red/account/account.ts',
    'plugin/node-red/batch/batch-node.ts',
    'plugin/node-red/batch/batch-store.ts',
    'plugin/node-red/event/account-store.ts',
    'plugin/node-red/event/event.ts',
    'plugin/node-red/event/poller.ts',
    'plugin/node-red/event/receiver.ts',
    'plugin/node-red/node/choice-node.ts',
    'plugin/node-red/node/handle-message.ts',
    'plugin/node-red/node/report.ts',
    'plugin/node-red/store.ts',
    'plugin/openapi/postman.ts', // in Postman's console
    'plugin/saltcorn/account/own-key.ts',
    'plugin/saltcorn/account/stored-secrets.ts',
  ]);
});
