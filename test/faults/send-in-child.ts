import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleProgram } from '../support/bundle-program.ts';
import { selfSigned } from './certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'secured-'));

/** The certificate of test servers, which the child process trusts. */
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
  idleTimeoutMs?: number;
}

/**
 * Sends messages one after the other in a child process, which trusts the certificate.
 *
 * @param url the service's URL
 * @param options further environment variables, and the idle timeout of the last message: long enough for a loaded machine by default
 * @returns the outcome of each message
 */
export async function sendInChild(
  url: string,
  count: number,
  { environment = {}, idleTimeoutMs = 20_000 }: Options = {},
): Promise<{ outcome: string; message?: string }[]> {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: trusted, ...environment };
  const args = [program, url, String(count), String(idleTimeoutMs)];
  const options = { timeout: 60_000, env };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}
