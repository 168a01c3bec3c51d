import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { databaseFile, everything, openServer } from './open-gateway.ts';

const run = promisify(execFile);

/** The commands of the guide, where a test has a gateway of its own. */
const commands = snippetsOf(readDocument('docs/builders/gateway.md'), 'sh')
  .join('\n')
  .replaceAll(/^(npm install|export|telephony-gateway serve).*$/gm, '')
  .replace('0123456789ab', '$(telephony-gateway keys list | sed -n 1p | cut -c 1-12)');

test('the commands of the guide work as they are', async () => {
  const { username, password, url: baseUrl, messages } = await openSandbox();
  messages.length = 0;
  const file = databaseFile();
  const running = await openServer({
    account: { username, password, baseUrl },
    databaseFile: file,
  });
  const { text } = await running.callWith(everything);
  const script = `set -euo pipefail
    curl() { command curl -sS --fail-with-body "$@"; }
    telephony-gateway() { "$NODE" "$PROGRAM" "$@"; }
    ${commands}`;
  const { stdout } = await run('bash', ['-c', script], {
    env: {
      ...{ PATH: process.env.PATH, NODE: process.execPath, GATEWAY: running.url, KEY: text },
      PROGRAM: resolve(root, 'dist/gateway/telephony-gateway.js'),
      ...{ TELEPHONY_USERNAME: username, TELEPHONY_PASSWORD: password },
      ...{ TELEPHONY_BASE_URL: baseUrl, TELEPHONY_DATABASE_FILE: file },
    },
  });
  expect(stdout).toContain('"status":"queued"');
  expect(stdout).toContain('"state":"preview"');
  expect(stdout).toContain('"events":[]');
  expect(stdout).toContain('Revoked.');
  expect(messages.map(({ body }) => body)).toEqual(['Your order is ready.']);
});
