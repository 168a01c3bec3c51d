import { spawnSync } from 'node:child_process';
import { connect, type ErrorCode, TelephonyError } from '../../src/index.ts';
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

  // So that there is no wait.
  beforeEach(() => jest.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => jest.restoreAllMocks());

  /** How long something that fails with a code waits to be tried again. */
  const waitAfter = (code: ErrorCode) =>
    waitBeforeRetry(new TelephonyError(code, 'It failed.'), 1, defaultLimits, Date.now() + 1_000);

  test.each(rows)('says of %s whether the plugin retries it', (code, ...cells) => {
    const isTriedAgain = cells.at(-1) === 'yes, later (already retried)';
    expect(waitAfter(code as ErrorCode) !== undefined).toBe(isTriedAgain);
  });
});

test('the table of limits lists the defaults of an account', () => {
  const { silence, answer, size, tries, patience, concurrency, confirm } = defaultLimits;
  expect(rowsOf('Limits').map(([, most, name]) => [name, most])).toEqual([
    ['silence', `${silence / 1000} seconds`],
    ['answer', `${answer / 1000} seconds`],
    ['size', `${size / 1_000_000} MB`],
    ['tries', `${tries} times`],
    ['patience', `${patience / 1000} seconds`],
    ['concurrency', `${concurrency}`],
    ['confirm', `${confirm / 1000} seconds`],
  ]);
});

const addresses = ['Regional hosts and compatible services', 'Compatible services'].flatMap(
  (heading) => rowsOf(heading).map(([baseUrl = '']) => baseUrl),
);

test.each(addresses)('connect accepts the documented base URL %s', (baseUrl) => {
  expect(() => connect({ username: 'AC1', password: 'x', baseUrl })).not.toThrow();
});

// The service no longer knows hosts of one label.
test('every documented regional host has an edge and a region', () => {
  const ours = addresses.filter((address) => address.endsWith('.twilio.com'));
  expect(ours.length).toBeGreaterThan(1);
  for (const address of ours) expect(address).toMatch(/^https:\/\/api\.[a-z]+\.[a-z]{2}\d\.twilio/);
});

test('code in src/ and plugin/ writes files and logs only in the listed places', () => {
  const ways = 'console\\.|\\.(log|warn)\\(|writeFile|appendFile|createWriteStream';
  const { stdout } = spawnSync('grep', ['-rhE', ways, 'src', 'plugin'], {
    cwd: root,
    encoding: 'utf8',
  });
  const lines = stdout.trim().split('\n');
  const expected = [
    'if (runs.isClosing && isAction(operation)) node.warn(lateReport(operation, input));',
    'if (runs.isClosing && !isLogged) node.warn(fault.message);',
    'console.error(error);',
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as the sources have them
    'node.warn(`${name} got no reply: its node was closed before the reply.`);',
    'this.warn(`Status reports are off: ${message}`);',
    'this.warn((error as Error).message);',
    'node?.warn(told);',
    "import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';",
    'await writeFile(`${file}.new`, textOf(all), { mode: 0o600, flush: true });',
    'await appendFile(file, textOf(batch), { mode: 0o600, flush: true });',
    'RED.log.warn(',
    'logFault: ({ message }) => RED.log.warn(`Polling failed: ${message}`),',
    "import { mkdir, readFile, writeFile } from 'node:fs/promises';",
    "await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((fault) => {",
    'getState().log(',
    'if (!logged.has(what.reason)) logger.warn(what.sentence);',
    'if (!warned.has(what.reason)) account.warn(what.sentence);',
    'if (sent.hint) node.warn(sent.hint);',
    "if (what.outcome === 'begun-anew' || what.outcome === 'postponed') account.warn(what.sentence);",
    "if (what.outcome === 'begun-anew' || what.outcome === 'postponed') logger.warn(what.sentence);",
    'account.warn(`${namedEvent(what.event)} was not delivered: ${(what.error as Error).message}`);',
    'account.warn(`The reply to ${namedEvent(what.event)} was too late and was not sent.`);',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as the sources have them
  ];
  expect(lines.map((line) => line.trim()).sort()).toEqual(expected.sort());
});
