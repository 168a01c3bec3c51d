import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../demo/ports.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { root } from '../support/root.ts';
import { serveBuilder } from '../support/serve-builder.ts';
import { until } from '../support/until.ts';

skipWithout(needs.n8n);

const type = 'telephonyApi';

/** Identifies the browser that logged in: n8n accepts its cookie from no other. */
export const browserId = 'tests';

/** Requests something of n8n, by a new connection: it closes an idle one after a few seconds, perhaps while it is used again. */
export const fetchAnew = (
  url: string,
  { headers, ...options }: RequestInit & { headers?: Record<string, string> } = {},
) =>
  fetch(url, {
    ...options,
    headers: { 'browser-id': browserId, connection: 'close', ...headers },
  });

/** A node of a workflow, by its name. */
export interface WorkflowNode {
  type: string;
  parameters?: object;
  [setting: string]: unknown;
}

/** The end of an execution. */
export interface Ended {
  id: string;
  status: string;
  /** Why it failed. */
  error: string | undefined;
  /** The items of the last run of a node, at one of its outputs. */
  items(node: string, output?: number): Record<string, unknown>[];
}

const endStates = ['success', 'error', 'crashed', 'canceled'];

/** Parses what n8n stores of an execution, in which a text is the index of a value. */
function parseFlatted(text: string): Record<string, never> {
  const values: unknown[] = JSON.parse(text);
  const parsed = new Map<number, unknown>();
  function valueAt(place: number): unknown {
    const value = values[place];
    if (typeof value !== 'object' || value === null) return value;
    if (parsed.has(place)) return parsed.get(place);
    const made: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
    parsed.set(place, made);
    for (const [key, one] of Object.entries(value))
      Reflect.set(made, key, typeof one === 'string' ? valueAt(Number(one)) : one);
    return made;
  }
  return valueAt(0) as Record<string, never>;
}

/** Connects nodes in the order of their names. */
export const chain = (...names: string[]) =>
  Object.fromEntries(
    names
      .slice(0, -1)
      .map((name, index) => [
        name,
        { main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
      ]),
  );

/**
 * Starts an n8n with a package installed, and a credential with these settings.
 *
 * @param settings the settings of an account
 * @param module the folder of the package
 * @param env further environment variables
 */
export async function startN8n(
  settings: object,
  module = join(root, 'dist/n8n'),
  env: Record<string, string> = {},
) {
  const port = await freePort();
  const password = `${randomBytes(6).toString('hex')}A1`;
  const email = 'admin@example.com';
  const server = await serveBuilder(
    'n8n',
    ['--port', String(port), '--admin', email, '--module', module],
    { ...env, ADMIN_PASSWORD: password, PLUGIN_CONFIGURATION: JSON.stringify(settings) },
  );
  let cookie = '';

  /** Requests what n8n's own pages request. */
  async function rest(method: string, path: string, body?: object) {
    const response = await fetchAnew(`${server.url}/rest${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return JSON.parse(text).data;
  }

  await rest('POST', '/login', { emailOrLdapLoginId: email, password });
  const [{ id, name }] = await rest('GET', '/credentials');
  const credentials = { [type]: { id, name } };

  const create = (nodes: Record<string, WorkflowNode>, connections: object) =>
    rest('POST', '/workflows', {
      name: 'Test',
      connections,
      settings: { executionOrder: 'v1' },
      nodes: Object.entries(nodes).map(([name, node], index) => ({
        ...{ id: randomUUID(), name, typeVersion: 1, position: [index * 200, 0], parameters: {} },
        ...(node.type.startsWith('n8n-nodes-telephony.') && { credentials }),
        ...node,
      })),
    });

  const activate = (workflow: { id: string; versionId: string }) =>
    rest('POST', `/workflows/${workflow.id}/activate`, { versionId: workflow.versionId });

  /** Starts a workflow with its first node. Resolves to the id of the execution. */
  async function start(workflowData: { id: string; nodes: { name: string }[] }): Promise<string> {
    const triggerToStartFrom = { name: workflowData.nodes[0]?.name };
    const path = `/workflows/${workflowData.id}/run`;
    return (await rest('POST', path, { workflowData, triggerToStartFrom })).executionId;
  }

  async function ended(execution: string): Promise<Ended> {
    let found: { status: string; data: string } = { status: '', data: '[]' };
    await until(async () => {
      found = await rest('GET', `/executions/${execution}`);
      return endStates.includes(found.status);
    });
    const { resultData } = parseFlatted(found.data) as Record<string, Record<string, never>>;
    return {
      ...{ id: execution, status: found.status },
      error: (resultData?.error as { message?: string } | undefined)?.message,
      items: (node, output = 0) => {
        const runs = Object(resultData?.runData)[node] ?? [];
        const items = runs.at(-1)?.data?.main?.[output] ?? [];
        return items.map(({ json }: { json: object }) => json);
      },
    };
  }

  const runWorkflow = async (workflow: Parameters<typeof start>[0]) => ended(await start(workflow));

  /** How many records of actions n8n holds for all nodes. */
  function claimCount(): number {
    const database = new DatabaseSync(join(server.home, '.n8n/database.sqlite'));
    const rows = database.prepare('select value from processed_data').all();
    database.close();
    return rows.flatMap(({ value }) => JSON.parse(String(value)).data).length;
  }

  return {
    ...{ server, rest, create, activate, start, ended, runWorkflow, claimCount },
    /** The credential's id and name. */
    credential: { id, name },
    /** The cookie of its user. */
    cookie: () => cookie,
    /** Creates a workflow, and runs it. */
    run: async (nodes: Record<string, WorkflowNode>, connections: object) =>
      runWorkflow(await create(nodes, connections)),
    /** Retries an execution with the button of n8n. Resolves to the end of the new one. */
    async retry(execution: string): Promise<Ended> {
      const { id } = await rest('POST', `/executions/${execution}/retry`, { loadWorkflow: false });
      return ended(id);
    },
  };
}
