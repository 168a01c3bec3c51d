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
 * The environment variable PLUGIN_CONFIGURATION is the account as JSON. It becomes the credential, unless someone has changed that.
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
import { isChanged, noteGiven } from '../given-base-url.ts';
import { findPort, host } from '../ports.ts';
import { environment } from './environment.ts';

const startMs = 120_000;

/** The variables of this process that n8n doesn't get. */
const foreign = /^(ADMIN_PASSWORD|PLUGIN_CONFIGURATION|NODE_ENV|N8N_.*|DB_.*|JEST_.*)$/;

interface Account {
  username?: string;
  baseUrl?: string;
}

interface Credential {
  id: string;
  name: string;
  type: string;
}

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

const credentialType = 'telephonyApi';

/** A client of the editor's own API, which n8n's pages use. */
function client(url: string) {
  let cookie = '';
  return async (method: string, path: string, body?: object) => {
    const response = await fetch(`${url}/rest${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'browser-id': 'demo', cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`n8n refused ${path}: ${text}`);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return JSON.parse(text).data;
  };
}

type Request = ReturnType<typeof client>;
type Options = ReturnType<typeof readOptions>;

/** Adds the credential and the workflows. */
async function setUp(request: Request, account: Account, { workflows, activate }: Options) {
  const name = 'Telephony';
  const { id } = await request('POST', '/credentials', {
    name,
    type: credentialType,
    data: account,
  });
  const texts = await Promise.all(workflows.map((file) => readFile(file, 'utf8')));
  const all = texts.flatMap((text): Workflow[] =>
    JSON.parse(text.replaceAll('{sandbox}', account.baseUrl ?? '')),
  );
  for (const workflow of all) {
    for (const node of workflow.nodes)
      if (node.credentials?.[credentialType]) node.credentials = { [credentialType]: { id, name } };
    const made = await request('POST', '/workflows', {
      ...workflow,
      settings: { executionOrder: 'v1' },
    });
    const hasTrigger = workflow.nodes.some(
      (node) => /Trigger$/.test(node.type) && !/manual|chat/i.test(node.type),
    );
    if (activate && hasTrigger)
      await request('POST', `/workflows/${made.id}/activate`, { versionId: made.versionId });
  }
}

/**
 * Stores the account in the credential.
 *
 * @returns whether someone has changed the credential, which stays as it is
 */
async function storeAccount(request: Request, account: Account, home: string): Promise<boolean> {
  const credentials: Credential[] = await request('GET', '/credentials');
  const known = credentials.find(({ type }) => type === credentialType);
  if (!known) return true;
  const { id, name, type } = known;
  const { data } = await request('GET', `/credentials/${id}?includeData=true`);
  if (isChanged(home, data, account)) return true;
  await request('PATCH', `/credentials/${id}`, { id, name, type, data: { ...data, ...account } });
  noteGiven(home, account);
  return false;
}

const answers = async (url: string) =>
  (await fetch(`${url}/rest/login`).catch(() => undefined))?.status === 401;

async function main() {
  const options = readOptions();
  const { home, port, module, admin } = options;
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
  const request = client(url);
  const account: Account = JSON.parse(process.env.PLUGIN_CONFIGURATION || '{}');
  const ready = join(home, 'ready');
  if (!existsSync(ready)) {
    const owner = { email: admin, firstName: 'The', lastName: 'Administrator', password };
    await request('POST', '/owner/setup', owner);
    await setUp(request, account, options);
  }
  const login = request('POST', '/login', { emailOrLdapLoginId: admin, password });
  // If someone has changed the password, the credential may contain any account.
  const ownAccount = await login.then(
    () => storeAccount(request, account, home),
    () => true,
  );
  await writeFile(ready, '');
  process.send?.({ url, ownAccount });
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
