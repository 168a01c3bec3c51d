/**
 * Starts n8n with SQLite, on loopback only.
 *
 *   node dist/serve.mjs --home <folder> --admin <email> [--port <number>] [--module <folder>] [--workflows <file>]… [--activate]
 *
 *   --home       the folder with all data; created if missing
 *   --admin      the owner, with the password in ADMIN_PASSWORD
 *   --port       5678 by default
 *   --module     a package of nodes, copied so that it is the newest build
 *   --workflows  workflows of a new home; `{sandbox}` in them becomes the Base URL of its account
 *   --activate   activates those that have a trigger
 *
 * The environment variable PLUGIN_CONFIGURATION is the account as JSON, which becomes the credential of a new home.
 *
 * When n8n listens, the parent process gets `{ url, ownAccount }`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPort, host } from '../ports.ts';

const startMs = 120_000;

/** The variables of this process that n8n doesn't get. */
const foreign = /^(ADMIN_PASSWORD|PLUGIN_CONFIGURATION|NODE_ENV|N8N_.*|DB_.*|JEST_.*)$/;

interface Workflow {
  name: string;
  nodes: { type: string; credentials?: Record<string, { id: string; name: string }> }[];
}

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ home: text, port: text, admin: text, module: text },
      workflows: { type: 'string', multiple: true, default: [] },
      activate: { type: 'boolean', default: false },
    },
  });
  if (!values.home || !values.admin) throw new Error('serve.ts needs --home and --admin.');
  return {
    ...values,
    home: resolve(values.home),
    admin: values.admin,
    port: values.port ?? '5678',
  };
}

/** Copies a package of nodes to where n8n looks for installed ones. */
async function install(home: string, folder: string) {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const nodes = join(home, '.n8n/nodes');
  const target = join(nodes, 'node_modules', name);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await cp(folder, target, { recursive: true });
  const own = { name: 'installed-nodes', private: true, dependencies: { [name]: version } };
  await writeFile(join(nodes, 'package.json'), JSON.stringify(own));
}

/** Settings without requests to the internet. */
const environment = (home: string, port: string, brokerPort: number) => ({
  N8N_USER_FOLDER: home,
  N8N_LISTEN_ADDRESS: host,
  N8N_PORT: port,
  // Of its own, so that two can start at once.
  N8N_RUNNERS_BROKER_PORT: String(brokerPort),
  WEBHOOK_URL: `http://${host}:${port}/`,
  N8N_SECURE_COOKIE: 'false',
  N8N_DIAGNOSTICS_ENABLED: 'false',
  N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
  N8N_TEMPLATES_ENABLED: 'false',
  N8N_PERSONALIZATION_ENABLED: 'false',
  N8N_DISABLED_MODULES: 'mcp-registry',
});

/** A client of the editor's own API, which n8n's pages use. */
function client(url: string) {
  let cookie = '';
  return async (path: string, body: object): Promise<Record<string, string>> => {
    const response = await fetch(`${url}/rest${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'browser-id': 'demo', cookie },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n refused ${path}: ${text}`);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return JSON.parse(text).data;
  };
}

type Options = ReturnType<typeof readOptions>;

/** Sets up the owner, the credential and the workflows. */
async function setUp(url: string, password: string, { admin, workflows, activate }: Options) {
  const post = client(url);
  const owner = { email: admin, firstName: 'The', lastName: 'Administrator', password };
  await post('/owner/setup', owner);
  const name = 'Telephony';
  const type = 'telephonyApi';
  const data = JSON.parse(process.env.PLUGIN_CONFIGURATION || '{}');
  const { id = '' } = await post('/credentials', { name, type, data });
  const texts = await Promise.all(workflows.map((file) => readFile(file, 'utf8')));
  const all = texts.flatMap((text): Workflow[] =>
    JSON.parse(text.replaceAll('{sandbox}', data.baseUrl)),
  );
  for (const workflow of all) {
    for (const node of workflow.nodes)
      if (node.credentials?.[type]) node.credentials = { [type]: { id, name } };
    const made = await post('/workflows', { ...workflow, settings: { executionOrder: 'v1' } });
    const hasTrigger = workflow.nodes.some(
      (node) => /Trigger$/.test(node.type) && !/manual|chat/i.test(node.type),
    );
    if (activate && hasTrigger)
      await post(`/workflows/${made.id}/activate`, { versionId: made.versionId });
  }
}

const answers = async (url: string) =>
  (await fetch(`${url}/rest/login`).catch(() => undefined))?.status === 401;

async function main() {
  const options = readOptions();
  const { home, port, module } = options;
  const password = process.env.ADMIN_PASSWORD ?? '';
  // The home contains the credential.
  process.umask(0o077);
  await mkdir(home, { recursive: true });
  if (module) await install(home, module);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !foreign.test(name)),
  );
  const program = createRequire(import.meta.url).resolve('n8n/bin/n8n');
  // Saves a quarter of the time that a start takes.
  const cache = { NODE_COMPILE_CACHE: join(dirname(program), '../../.cache/compiled') };
  const child = spawn(process.execPath, [program, 'start'], {
    env: { ...env, ...cache, ...environment(home, port, await findPort(Number(port) + 1)) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => void child.kill());
  void ended.then(() => process.exit(1));
  const url = `http://${host}:${port}`;
  const end = Date.now() + startMs;
  while (!(await answers(url))) {
    if (Date.now() > end) throw new Error('n8n did not start in time.');
    await setTimeout(200);
  }
  const ready = join(home, 'ready');
  if (!existsSync(ready)) await setUp(url, password, options);
  await writeFile(ready, '');
  process.send?.({ url, ownAccount: false });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
