import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleProgram } from '../support/bundle-program.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { endProgram } from '../support/start-program.ts';
import { selfSigned } from './certificate.ts';

const folder = mkdtempSync(join(tmpdir(), 'secured-'));

/** The certificate of test servers, which the child process trusts. */
export const certificate = selfSigned();
const trusted = join(folder, 'certificate.pem');
writeFileSync(trusted, certificate.cert);
afterAll(() => rmSync(folder, { recursive: true }));

/** What the child process sends. */
export interface Sending {
  url: string;
  count: number;
  environment: Record<string, string>;
  idleTimeoutMs: number;
}

let child: ChildProcess;
beforeAll(() => {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: trusted };
  child = fork(bundleProgram('test/faults/sending-child.ts'), { env });
  closeAfterwards({ close: () => endProgram(child) });
});

/**
 * Sends messages one after the other in a child process, which trusts the certificate. Its connections to a URL are used again by the
 * messages of one call only: the server of each test has a port of its own.
 *
 * @param url the service's URL
 * @param options further environment variables, and the idle timeout of the last message: long enough for a loaded machine by default
 * @returns the outcome of each message
 */
export async function sendInChild(
  url: string,
  count: number,
  { environment = {}, idleTimeoutMs = 20_000 }: Partial<Sending> = {},
): Promise<{ outcome: string; message?: string }[]> {
  const outcomes = once(child, 'message');
  child.send({ url, count, environment, idleTimeoutMs } satisfies Sending);
  return (await outcomes)[0];
}
