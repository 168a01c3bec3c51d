import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SandboxOptions } from '../../demo/sandbox/index.ts';
import { unload } from '../support/builder-worker.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { serveHttp } from '../support/serve-http.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

skipWithout(needs.nodeRed);

// biome-ignore lint/suspicious/noExplicitAny: Node-RED's own objects, which it does not type for tests
export type Loose = any;

/** The built package, as users install it. */
export const artefact = join(root, 'dist/node-red');

export interface Host {
  sandbox: Sandbox;
  url: string;
  /** Replaces the flows by others: all nodes, or only those that differ. */
  deploy(nodes: Node[], type?: 'full' | 'nodes'): Promise<void>;
  /** Reads flows and credentials from their files again, like a start of Node-RED. */
  reload(): Promise<void>;
  /** Resolves when Node-RED begins to close nodes. */
  closing(): Promise<unknown>;
  /** A running node. */
  node(id: string): Loose;
  /** The statuses that nodes showed since the last call, in order. */
  takeStatuses(): [id: string, text: string | undefined, fill: string | undefined][];
  /** Creates a folder where a file of the plugin would be, so that it can't be used. */
  makeFolder(name: string): void;
  /** The text of one of Node-RED's files. */
  read(name: string): string;
  /** Everything that Node-RED logged. */
  logged(): string;
  /** The warnings that Node-RED logged since the last call. */
  takeWarnings(): string[];
}

export type Node = { id: string; type: string } & Record<string, unknown>;

/** The parts of flows that tests don't depend on. */
const tab = { id: 'tab', type: 'tab', label: 'Test' };
const place = { z: 'tab', x: 0, y: 0, wires: [] };

/** Node-RED's modules, which can start only once. The modules that they use stay loaded. */
function loadNodeRed(): Loose {
  const packages = join(dirname(require.resolve('node-red/package.json')), '..');
  for (const name of ['node-red', '@node-red']) unload(join(packages, name));
  return require('node-red');
}

/**
 * Starts a new Node-RED in this process with the nodes of a package, and a sandbox. Both end after the tests that they
 * were started for.
 *
 * @param location the folder of the package
 * @param settings settings of Node-RED
 * @param now the sandbox's clock, or its fixed time
 */
export async function startNodeRed(
  location = artefact,
  settings: object = {},
  now: SandboxOptions['now'] = new Date('2026-11-20T12:00:00Z'),
): Promise<Host> {
  const home = temporaryFolder('node-red');
  const { name } = JSON.parse(readFileSync(join(location, 'package.json'), 'utf8'));
  cpSync(location, join(home, 'node_modules', name), { recursive: true });
  const sandbox = await openSandbox({ now });
  const logs: string[] = [];
  const warnings: string[] = [];
  const RED = loadNodeRed();
  const app: Loose = require('express')();
  const { server, url } = await serveHttp(app);
  RED.init(server, {
    userDir: home,
    flowFile: 'flows.json',
    credentialSecret: 'a secret of the tests',
    telemetry: { enabled: false, updateNotification: false },
    logging: {
      console: { level: 'off' },
      tests: {
        level: 'trace',
        handler: () => (entry: Loose) => {
          logs.push(JSON.stringify(entry) + entry.msg?.stack);
          if (entry.level === RED.log.WARN) warnings.push(entry.msg);
        },
      },
    },
    ...settings,
  });
  app.use('/', RED.httpAdmin, RED.httpNode);
  const statuses: [string, string | undefined, string | undefined][] = [];
  RED.events.on('node-status', ({ id, status }: Loose) =>
    statuses.push([id, status?.text, status?.fill]),
  );

  const started = () => new Promise((resolve) => RED.events.once('flows:started', resolve));
  const running = started();
  closeAfterwards({ close: () => RED.stop() });
  await RED.start();
  await running;
  return {
    sandbox,
    url,
    deploy: async (nodes, type = 'full') => {
      const deployed = started();
      const flows = [tab, ...nodes.map((node) => (node.z === '' ? node : { ...place, ...node }))];
      await RED.runtime.flows.setFlows({ flows: { flows }, deploymentType: type });
      await deployed;
    },
    reload: async () => {
      const loaded = started();
      await RED.runtime.flows.setFlows({ flows: {}, deploymentType: 'reload' });
      await loaded;
    },
    closing: () => new Promise((resolve) => RED.events.once('flows:stopping', resolve)),
    node: (id) => RED.nodes.getNode(id),
    takeStatuses: () => statuses.splice(0),
    makeFolder: (name) => void mkdirSync(join(home, name)),
    read: (file) => readFileSync(join(home, file), 'utf8'),
    logged: () => logs.join('\n'),
    takeWarnings: () => warnings.splice(0),
  };
}

/** A configuration node for the sandbox. */
export const accountNode = (
  { username, password, url }: Sandbox,
  overrides: object = {},
): Node => ({
  id: 'account',
  type: 'telephony-account',
  z: '',
  username,
  baseUrl: url,
  credentials: { password },
  ...overrides,
});

/** The results of a node for a message. */
export interface Outcome {
  sent: Loose[];
  /** The messages that a Catch node received. */
  caught: Loose[];
}

/**
 * Deploys a node, sends it a message, and waits until the node is done.
 *
 * @param node the node, not wired yet
 * @param account the configuration node, or several, if there is one
 * @param message the message
 */
export async function runNode(
  host: Host,
  node: Node,
  account: Node | Node[] | undefined,
  message: object = {},
): Promise<Outcome> {
  const sink = (id: string) => ({ id, type: 'debug', active: false });
  await host.deploy([
    ...[account ?? []].flat(),
    { account: 'account', ...node, wires: [['sent']] },
    { id: 'errors', type: 'catch', scope: [node.id], wires: [['caught']] },
    { id: 'done', type: 'complete', scope: [node.id], wires: [['completed']] },
    ...['sent', 'caught', 'completed'].map(sink),
  ]);
  const outcome: Outcome = { sent: [], caught: [] };
  const isDone = new Promise<void>((resolve) => {
    host.node('sent').on('input', (got: Loose) => outcome.sent.push(got));
    host.node('caught').on('input', (got: Loose) => resolve(void outcome.caught.push(got)));
    host.node('completed').on('input', () => resolve());
  });
  host.takeStatuses();
  host.node(node.id).receive({ _msgid: 'm1', ...message });
  await isDone;
  return outcome;
}
