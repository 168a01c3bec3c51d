import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySources } from '../support/copy-of-the-repository.ts';
import { root } from '../support/root.ts';

// No builder is installed in it.
let copy: string;
beforeAll(() => {
  copy = copySources();
});

/** Runs a test of the copy in a process of its own, and gives how it ended. */
function runTest(file: string, env: object = {}) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const { status, stderr } = spawnSync(process.execPath, [jest, '--runInBand', file], {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, CI: '', ...env },
  });
  return { status, stderr };
}

test.each([
  ['the test run says at its end what the machine lacks', '', 0],
  ['the test run fails in CI if the machine lacks something', 'true', 1],
])('%s', (_, CI, ended) => {
  const { status, stderr } = runTest('test/node-red/process/media.test.ts', { CI });
  expect(stderr).toMatch(/^Tests: +(\d+) skipped, \1 total$/m);
  expect(stderr).toMatch(
    /\nSkipped without Node-RED: node-red\. Install it with: npm run builders -- node-red\n$/,
  );
  expect(status).toBe(ended);
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
  ['the test run names what a test left open', careless, left],
])('%s, and ends', (_, source, end) => {
  writeFileSync(join(copy, 'test/library/one.test.ts'), source);
  const { status, stderr } = runTest('test/library/one.test.ts');
  expect(stderr).toMatch(end);
  expect(status).toBe(1);
});
