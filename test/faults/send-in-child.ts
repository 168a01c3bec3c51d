import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../root.ts';
import { selfSigned } from './certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'secured-'));

/** What servers can show, which the other program trusts. */
export const certificate = selfSigned();
const trusted = join(folder, 'certificate.pem');
writeFileSync(trusted, certificate.cert);
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Sends messages one after the other in a program of its own, which trusts the certificate.
 *
 * @param url where the service is
 * @param environment further variables of the program
 * @returns what came of each
 */
export async function sendInChild(
  url: string,
  count: number,
  environment: Record<string, string> = {},
): Promise<{ outcome: string; message?: string }[]> {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: trusted, ...environment };
  const args = ['--import', 'tsx', resolve(__dirname, 'sending-child.ts'), url, String(count)];
  const options = { cwd: root, timeout: 30_000, env };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}
