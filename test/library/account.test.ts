import { spawnSync } from 'node:child_process';
import { connect, type ErrorCode, TelephonyError } from '../../src/builder.ts';
import { defaultLimits } from '../../src/settings/limits.ts';
import { waitBeforeRetry } from '../../src/wire/retry.ts';
import { readDocument, sectionOf } from '../support/document.ts';
import { root } from '../support/root.ts';

const page = readDocument('docs/account.md');

/** The cells of a section's only table, row by row, without code marks. */
const rowsOf = (heading: string) =>
  [...sectionOf(page, heading).matchAll(/^\| (.+) \|$/gm)]
    .slice(1)
    .map(([, row = '']) => row.replaceAll('`', '').split(' | '));

describe('the table of errors', () => {
  const rows = rowsOf('Errors');
  const [, union = ''] = readDocument('src/telephony-error.ts').match(/ErrorCode =([^;]+);/) ?? [];
  const codes = [...union.matchAll(/'([\w-]+)'/g)].map(([, code]) => code as ErrorCode);

  test('explains every code, and says that only unknown-outcome must not be retried', () => {
    expect(codes).toContain('unknown-outcome');
    expect(rows.map(([code]) => code)).toEqual(codes);
    const unsafe = rows.filter((cells) => cells.at(-1)?.startsWith('**no**'));
    expect(unsafe.map(([code]) => code)).toEqual(['unknown-outcome']);
  });

  // Without waits.
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  /** How long the plugin waits before it retries after an error; undefined if it does not. */
  const waitAfter = (code: ErrorCode) =>
    waitBeforeRetry(new TelephonyError(code, 'It failed.'), 1, defaultLimits, Date.now() + 1_000);

  test.each(rows)('says of %s whether the plugin retries it', (code, ...cells) => {
    const isRetried = cells.at(-1) === 'yes, later (already retried)';
    expect(waitAfter(code as ErrorCode) !== undefined).toBe(isRetried);
  });
});

test('the table of limits lists the defaults of an account', () => {
  const {
    idleTimeoutMs,
    timeoutMs,
    maxResponseBytes,
    maxAttempts,
    retryBudgetMs,
    concurrency,
    confirmTimeoutMs,
  } = defaultLimits;
  expect(rowsOf('Limits').map(([, most, name]) => [name, most])).toEqual([
    ['idleTimeoutMs', `${idleTimeoutMs / 1000} seconds`],
    ['timeoutMs', `${timeoutMs / 1000} seconds`],
    ['maxResponseBytes', `${maxResponseBytes / 1_000_000} MB`],
    ['maxAttempts', `${maxAttempts} times`],
    ['retryBudgetMs', `${retryBudgetMs / 1000} seconds`],
    ['concurrency', `${concurrency}`],
    ['confirmTimeoutMs', `${confirmTimeoutMs / 1000} seconds`],
  ]);
});

const addresses = ['Regional hosts and compatible services', 'Compatible services'].flatMap(
  (heading) => rowsOf(heading).map(([baseUrl = '']) => baseUrl),
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
    'plugin/nocobase/client-v2/set-up.ts',
    'plugin/nocobase/server/event/log-events.ts',
    'plugin/node-red/account/account.ts',
    'plugin/node-red/batch/batch-node.ts',
    'plugin/node-red/batch/batch-store.ts',
    'plugin/node-red/event/account-store.ts',
    'plugin/node-red/event/event.ts',
    'plugin/node-red/event/poller.ts',
    'plugin/node-red/event/receiver.ts',
    'plugin/node-red/node/answer-message.ts',
    'plugin/node-red/node/report.ts',
    'plugin/node-red/store.ts',
    'plugin/saltcorn/account/own-key.ts',
    'plugin/saltcorn/account/stored-secrets.ts',
  ]);
});
