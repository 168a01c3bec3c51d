import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../support/bundle-program.ts';
import { selfSigned } from './certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'secured-'));

/** What servers can show, which the other program trusts. */
export const certificate = selfSigned();
const trusted = join(folder, 'certificate.pem');
writeFileSync(trusted, certificate.cert);
afterAll(() => rmSync(folder, { recursive: true }));

let program: string;
beforeAll(() => {
  program = bundleProgram('test/faults/sending-child.ts');
});

interface Options {
  environment?: Record<string, string>;
  silence?: number;
}

/**
 * Sends messages one after the other in a program of its own, which trusts the certificate.
 *
 * @param url where the service is
 * @param options further variables of the program, and how long the service may be silent, in milliseconds: as long as a loaded
 *   machine takes, unless silence is what is tried
 * @returns what came of each
 */
export async function sendInChild(
  url: string,
  count: number,
  { environment = {}, silence = 20_000 }: Options = {},
): Promise<{ outcome: string; message?: string }[]> {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: trusted, ...environment };
  const args = [program, url, String(count), String(silence)];
  const options = { timeout: 60_000, env };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}
