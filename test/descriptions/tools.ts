import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../support/root.ts';

/** The folder of the packages that check the descriptions. */
export const tools: string = join(__dirname, 'tools');

/** The path of a description. */
export const described = (file: string): string => join(root, 'dist/openapi', file);

/** Runs a program and returns its output. */
export const runTool = async (folder: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, args, { cwd: folder })).stdout;
