import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySources } from '../support/copy-of-the-repository.ts';
import { root } from '../support/root.ts';

/** A copy without builders, whose run ends sooner if something is left open. */
let copy: string;
beforeAll(() => {
  copy = copySources();
  const reporter = join(copy, 'test/support/end-reporter.mjs');
  const source = readFileSync(reporter, 'utf8');
  expect(source).toContain('graceMs = 15_000;');
  writeFileSync(reporter, source.replace('graceMs = 15_000;', 'graceMs = 2_000;'));
});

/** Runs a test of the copy in a separate process. */
function runTest(project: string, file: string, env: object = {}) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(
    process.execPath,
    [jest, file, '--runInBand', '--selectProjects', project],
    {
      cwd: copy,
      encoding: 'utf8',
      env: { ...process.env, CI: '', ...env },
    },
  );
  return { status, stderr };
}

test.each([
  ['lists at its end what the machine lacks', '', 0],
  ['fails in CI if the machine lacks something', 'true', 1],
])('the test run %s', (_, CI, exitCode) => {
  const { status, stderr } = runTest('node-red', 'test/node-red/process/media.test.ts', { CI });
  expect(stderr).toMatch(/^Tests: +(\d+) skipped, \1 total$/m);
  expect(stderr).toMatch(
    /\nSkipped without Node-RED: node-red\. Install it with: npm run builders -- node-red\n$/,
  );
  expect(status).toBe(exitCode);
});

const failing = `
import { serveHttp } from '../support/serve-http.ts';
test('fails', async () => {
  await serveHttp(() => {});
  throw new Error('Not today.');
});
`;
const careless = `
import { createServer } from 'node:net';
test('passes', () => {
  createServer().listen(0, '127.0.0.1');
});
`;
const left =
  /\nTests left something open: .*TCPServerWrap.*\. See test\/support\/close-afterwards\.ts\.\n$/;

test.each([
  ['a failing test closes what it opened', failing, /\nRan all test suites matching .+\n$/],
  ['the test run lists what a test left open', careless, left],
])('%s, and ends', (_, source, end) => {
  writeFileSync(join(copy, 'test/library/one.test.ts'), source);
  const { status, stderr } = runTest('library', 'test/library/one.test.ts');
  expect(stderr).toMatch(end);
  expect(status).toBe(1);
});
