import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definitions, type PolledSoFar } from '../../../src/index.ts';
import type { NodeRed } from '../node-red.ts';

/** How far events of an account were read, in a file. */
export interface SoFarFile extends PolledSoFar {
  /** Nobody asks for them any more: whoever does so again begins then. */
  forget(): Promise<void>;
}

/**
 * Keeps how far the events of an account were read over restarts. Where the disk fails, it is known as long as the process
 * lasts.
 *
 * @param account its id
 */
function open(RED: NodeRed, account: string): SoFarFile {
  const name = `${definitions.manifest.id}-events-${encodeURIComponent(account)}.json`;
  const file = join(RED.settings.userDir ?? '.', name);
  const warn = (fault: unknown) =>
    RED.log.warn(`Cannot store the polling cursor, so a restart may skip events: ${fault}`);
  let known: string | undefined;
  // One after another: what is forgotten is still there while it is being deleted, and whoever asks anew reads and writes then.
  let work: Promise<unknown> = Promise.resolve();
  function inTurn<Result>(step: () => Promise<Result>): Promise<Result> {
    const done = work.then(step);
    work = done.catch(() => {});
    return done;
  }
  return {
    read: () =>
      inTurn(async () => {
        known ??= await readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => {
          if (fault.code !== 'ENOENT') warn(fault);
          return undefined;
        });
        return known;
      }),
    write: (soFar) =>
      inTurn(async () => {
        known = soFar;
        try {
          await writeFile(`${file}.new`, soFar, { mode: 0o600, flush: true });
          await rename(`${file}.new`, file);
        } catch (fault) {
          warn(fault);
        }
      }),
    forget: () =>
      inTurn(async () => {
        known = undefined;
        await rm(file, { force: true }).catch(warn);
      }),
  };
}

const files = new Map<string, SoFarFile>();

/** How far the events of an account were read; by its id. */
export function soFarOf(RED: NodeRed, account: string): SoFarFile {
  const file = files.get(account) ?? open(RED, account);
  files.set(account, file);
  return file;
}
