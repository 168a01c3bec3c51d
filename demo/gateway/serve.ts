/**
 * Starts the gateway on loopback, with a key for everything.
 *
 *   node dist/serve.mjs --home <folder> --port <number> --module <folder>
 *
 *   --home    the folder with its database, and with `variables`: its URL and its key, for a shell; created if missing
 *   --module  the built package
 *
 * The environment variable PLUGIN_CONFIGURATION is the account as JSON. When the gateway listens, the parent process gets
 * `{ url, ownAccount }`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { definitions } from '../../generated/definitions.ts';
import { host } from '../ports.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({ options: { home: text, port: text, module: text } });
const [home, module] = [resolve(values.home ?? '.'), resolve(values.module ?? '.')];

/** The name of the variable with a setting. */
const variable = (key: string) =>
  `${definitions.manifest.id}_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();

const keys = [...definitions.settings.fields.map(({ key }) => key), 'publicAddress'];
const { PLUGIN_CONFIGURATION: configuration = '{}', ...others } = process.env;
const account = JSON.parse(configuration);
delete process.env.PLUGIN_CONFIGURATION;
const env = {
  ...Object.fromEntries(keys.map((key) => [variable(key), String(account[key] ?? '')])),
  [variable('host')]: host,
  [variable('databaseFile')]: join(home, 'data', 'gateway.sqlite'),
  PORT: values.port ?? '0',
};

const url = `http://${host}:${env.PORT}`;
mkdirSync(home, { recursive: true });
const keyFile = join(home, 'key');
if (!existsSync(keyFile)) {
  const all = ['read', 'act', 'senders', 'events', 'reply'].flatMap((right) => [
    `--${right}`,
    'all',
  ]);
  const command = join(module, 'telephony-gateway.js');
  const key = execFileSync(
    process.execPath,
    [command, 'keys', 'add', 'demo', ...all, '--subscribe', '--instructions'],
    {
      env: { ...others, ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  writeFileSync(keyFile, key, { mode: 0o600 });
}

const key = readFileSync(keyFile, 'utf8').trim();
writeFileSync(join(home, 'variables'), `export GATEWAY=${url} KEY=${key}\n`, { mode: 0o600 });

const { main } = createRequire(import.meta.url)(module);
await main(['serve'], env);
if (process.exitCode) process.exit();
process.send?.({ url, ownAccount: false });
