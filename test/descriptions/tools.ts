import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The folder of the packages that check the descriptions. */
export const tools: string = join(__dirname, 'tools');

/** The path of a description. */
export const described = (file: string): string => join(root, 'dist/openapi', file);

/** Runs a program and returns its output. */
export const runTool = async (folder: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;

/**
 * Compiles and runs a program with the client that openapi-typescript generates, and returns its output.
 *
 * @param file the program in the folder of the tools, which imports `service.ts`
 * @param description the path of the document that becomes `service.ts`
 * @param argument what the program gets, as JSON
 */
export async function runClient(
  file: string,
  description: string,
  argument: object,
): Promise<string> {
  const folder = temporaryFolder('client');
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'), 'dir');
  for (const name of [file, 'package.json']) cpSync(join(tools, name), join(folder, name));
  const generator = join(tools, 'node_modules/openapi-typescript/bin/cli.js');
  await runTool(folder, generator, description, '-o', join(folder, 'service.ts'));
  const client = join(folder, file);
  await runTool(
    folder,
    ...[join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict'],
    ...['--module', 'preserve', '--target', 'es2023', '--allowImportingTsExtensions'],
    ...['--skipLibCheck', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')],
    client,
  );
  const tsx = join(root, 'node_modules/tsx/dist/loader.mjs');
  return runTool(folder, '--import', tsx, client, JSON.stringify(argument));
}
