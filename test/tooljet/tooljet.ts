import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { skipWithout } from '../support/needs.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const [major = 0] = process.versions.node.split('.').map(Number);
skipWithout({
  name: 'Node 22, which ToolJet needs',
  path: major >= 22 ? process.execPath : undefined,
  advice: 'Run the tests with Node 22 or newer.',
});

/** A file of the package. */
export const fileOf = (name: string): string => join(root, 'dist/tooljet', name);
export const readJson = (name: string) => JSON.parse(readFileSync(fileOf(name), 'utf8'));

export interface Result {
  status: 'ok' | 'failed';
  message?: string;
  data?: unknown;
}

export type Query = Record<string, unknown>;

/** A process of ToolJet's server. */
export interface Server {
  run(settings: object | undefined, query: Query): Promise<Result>;
  testConnection(settings: object | undefined): Promise<Result>;
  child: ChildProcess;
}

/** The ways in which versions of ToolJet evaluate a plugin. */
export type Way = 'context' | 'module';

/**
 * Starts a process that runs queries like ToolJet's server. It ends after the tests.
 *
 * @param folder where it stores temporary files
 * @param code the path of the package's code
 */
export function openServer(
  way: Way,
  folder: string = temporaryFolder('tooljet'),
  code: string = fileOf('dist/index.js'),
): Server {
  const child = fork(join(__dirname, 'server.mjs'), [code, way], {
    env: { ...process.env, TMPDIR: folder, TEMP: folder },
    // ToolJet fills in bindings in the process that runs the query: a value can be undefined.
    serialization: 'advanced',
  });
  const waiting = new Map<number, (result: Result) => void>();
  child.on('message', ({ id, result }: { id: number; result: Result }) =>
    waiting.get(id)?.(result),
  );
  closeAfterwards({
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill();
      await once(child, 'exit');
    },
  });
  let count = 0;
  const call = (method: string, ...parameters: unknown[]) =>
    new Promise<Result>((resolve) => {
      count += 1;
      waiting.set(count, resolve);
      child.send({ id: count, method, parameters });
    });
  return {
    run: (settings, query) => call('run', settings, query, 'a-data-source'),
    testConnection: (settings) => call('testConnection', settings),
    child,
  };
}

/** Fills in the bindings of a query like ToolJet: one alone keeps its type, and one in a text is written into it. */
export function filledIn(query: Query, values: Record<string, unknown>): Query {
  const fill = (text: unknown): unknown => {
    if (typeof text !== 'string') return text;
    const [, only] = text.match(/^\{\{([^{}]*)\}\}$/) ?? [];
    if (only !== undefined) return values[only.trim()];
    return text.replaceAll(/\{\{([^{}]*)\}\}/g, (_, name: string) => {
      const value = values[name.trim()];
      return typeof value === 'string' ? value : String(JSON.stringify(value));
    });
  };
  return Object.fromEntries(Object.entries(query).map(([key, text]) => [key, fill(text)]));
}
