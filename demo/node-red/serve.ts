/**
 * Starts Node-RED with Dashboard 2.0, on loopback only, without Node-RED's command line.
 *
 *   node dist/serve.mjs --home <folder> [--port <number>] [--admin <name>] [--module <folder>] [--flow <file>]... [--guard]
 *
 *   --home    the folder with all data: flows, credentials, installed modules; created if missing
 *   --port    a free one by default
 *   --admin   the user of the editor, with the password in ADMIN_PASSWORD; without it there is no login
 *   --module  a folder of nodes, linked so that it is the newest build
 *   --flow    a flow to deploy in a new home; can be repeated
 *   --guard   requires the login on the dashboard, too
 *
 * The environment variable PLUGIN_CONFIGURATION is the account as JSON. It is not stored: the flow's account refers to variables
 * of this process.
 *
 * When Node-RED listens, the parent process gets `{ url, ownAccount }`. `ownAccount` is true if someone entered another account
 * in the flow.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FlowNode, Handler, NodeRed, Settings } from 'node-red';
import type { SettingsField } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';

const { manifest, settings } = definitions;

const host = '127.0.0.1';
const accountType = `${manifest.id}-${settings.id}`;

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ home: text, port: text, admin: text, module: text },
      flow: { type: 'string', multiple: true, default: [] },
      guard: { type: 'boolean', default: false },
    },
  });
  if (!values.home) throw new Error('serve.ts needs --home <folder>.');
  return { ...values, home: resolve(values.home), port: Number(values.port ?? 0) };
}

/** A further setting of the flow's account: the URL where the service reaches Node-RED. */
const publicAddress = 'publicAddress';

/** The name of the variable with a setting of the account. */
const variable = (key: string) =>
  `${manifest.id}_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase();

function setEnvironment() {
  const { env } = process;
  for (const name of Object.keys(env)) if (/^(NODE_RED_|NODE_ENV$)/.test(name)) delete env[name];
  const account = JSON.parse(env.PLUGIN_CONFIGURATION || '{}');
  for (const key of [...settings.fields.map((field) => field.key), publicAddress])
    env[variable(key)] = account[key] ?? '';
  delete env.PLUGIN_CONFIGURATION;
  // The home contains the flows' credentials.
  process.umask(0o077);
}

function credentialSecret(home: string) {
  const file = join(home, 'secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'));
  return readFileSync(file, 'utf8');
}

// A dependency on a folder, so that npm keeps it when someone installs further modules in the editor.
function linkModule(home: string, folder: string) {
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = join(home, 'package.json');
  const own = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { name: 'flows', private: true };
  const dependencies = { ...own.dependencies, [name]: `file:${resolve(folder)}` };
  writeFileSync(file, JSON.stringify({ ...own, dependencies }, null, 2));
  const link = join(home, 'node_modules', name);
  rmSync(link, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(resolve(folder), link, 'junction');
}

const digest = (text: string) => createHash('sha256').update(text).digest();

type Options = ReturnType<typeof readOptions>;

interface LoginCheck {
  isUser(name?: string, typed?: string): boolean;
  hasLogin(headers: IncomingHttpHeaders): boolean;
}

/** The socket of the dashboard's pages. */
interface Socket {
  handshake: { xdomain: boolean };
  request: { headers: IncomingHttpHeaders };
}

interface PagesLogin {
  middleware: Handler;
  settings: Settings;
}

/** Lets requests with the login through, or all requests if there is none. */
function loginCheck({ admin }: Options): LoginCheck {
  const password = process.env.ADMIN_PASSWORD ?? '';
  delete process.env.ADMIN_PASSWORD;
  const isUser = (name = '', typed = '') =>
    name === admin && timingSafeEqual(digest(typed), digest(password));
  const hasLogin = ({ authorization = '' }: IncomingHttpHeaders) => {
    const [name, typed] = Buffer.from(authorization.slice(6), 'base64').toString().split(/:(.*)/s);
    return authorization.startsWith('Basic ') && isUser(name, typed);
  };
  return { isUser, hasLogin };
}

function editorLogin({ admin }: Options, { isUser }: LoginCheck): Settings {
  if (!admin) return {};
  const user = { username: admin, permissions: '*' };
  return {
    adminAuth: {
      type: 'credentials',
      users: async (name: string) => (name === admin ? user : null),
      authenticate: async (name: string, typed: string) => (isUser(name, typed) ? user : null),
    },
  };
}

/** Guards the pages of flows, and the socket of the dashboard's pages. */
function pagesLogin({ guard }: Options, { hasLogin }: LoginCheck): PagesLogin {
  if (!guard) return { middleware: (_request, _response, next) => next(), settings: {} };
  const refused = { 'WWW-Authenticate': 'Basic realm="Telephony"' };
  return {
    middleware: ({ headers }, response, next) =>
      hasLogin(headers) ? next() : response.writeHead(401, refused).end(),
    settings: {
      dashboard: {
        ioMiddleware: ({ handshake, request }: Socket, next: (refusal?: Error) => void) =>
          next(hasLogin(request.headers) && !handshake.xdomain ? undefined : new Error('Refused')),
      },
    },
  };
}

/** Settings without requests to the internet: no news, no tours, no catalogue. */
const nodeRedSettings = (options: Options, login: Settings): Settings => ({
  userDir: options.home,
  flowFile: 'flows.json',
  flowFilePretty: true,
  credentialSecret: credentialSecret(options.home),
  httpAdminRoot: '/',
  httpNodeRoot: '/',
  uiHost: host,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, palette: { catalogues: [] } },
  functionExternalModules: false,
  logging: { console: { level: 'info', metrics: false, audit: false } },
  ...login,
});

const reference = (key: string) => `\${${variable(key)}}`;

/** A flow with an account that refers to environment variables. */
function withAccount(flow: FlowNode[]): FlowNode[] {
  const isSecret = ({ type }: SettingsField) => type === 'secret';
  const references = (fields: SettingsField[]) =>
    Object.fromEntries(fields.map(({ key }) => [key, reference(key)]));
  const account = {
    ...references(settings.fields.filter((field) => !isSecret(field))),
    ...{
      name: 'Demo account',
      [publicAddress]: reference(publicAddress),
      reported: Boolean(process.env[variable(publicAddress)]),
    },
    credentials: references(settings.fields.filter(isSecret)),
  };
  return flow.map((node) => (node.type === accountType ? { ...node, ...account } : node));
}

const started = (RED: NodeRed) =>
  new Promise((resolve) => RED.events.once('flows:started', resolve));

async function deploy(RED: NodeRed, files: string[]) {
  const flows = withAccount(files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8'))));
  const running = started(RED);
  await RED.runtime.flows.setFlows({ flows: { flows }, deploymentType: 'full' });
  await running;
}

async function hasOwnAccount(RED: NodeRed) {
  const { flows } = await RED.runtime.flows.getFlows({});
  const given = settings.fields.find(({ required }) => required)?.key ?? '';
  // An imported example has an account that is not filled in.
  return flows.some(
    ({ type, [given]: value }) => type === accountType && value && value !== reference(given),
  );
}

async function main() {
  const options = readOptions();
  setEnvironment();
  mkdirSync(options.home, { recursive: true });
  if (options.module) linkModule(options.home, options.module);

  const { default: RED } = await import('node-red');
  const { default: express } = await import('express');
  const app = express();
  const server = http.createServer(app);
  const ready = join(options.home, 'ready');
  const isFresh = !existsSync(ready);
  const check = loginCheck(options);
  const pages = pagesLogin(options, check);
  RED.init(server, nodeRedSettings(options, { ...editorLogin(options, check), ...pages.settings }));
  app.use('/', RED.httpAdmin, pages.middleware, RED.httpNode);

  for (const end of ['SIGINT', 'SIGTERM', 'disconnect'])
    process.once(end, () => RED.stop().finally(() => process.exit(end === 'disconnect' ? 1 : 0)));
  const running = started(RED);
  await RED.start();
  await running;
  if (isFresh && options.flow.length > 0) await deploy(RED, options.flow);
  writeFileSync(ready, '');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port, host, resolve);
  });
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  process.send?.({ url, ownAccount: await hasOwnAccount(RED) });
}

main().catch((error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${error.port} is taken.` : error);
  process.exit(1);
});
