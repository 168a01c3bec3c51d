import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import { getConfigFile } from '@saltcorn/data/db/connect';
import { definitions } from '../../../src/builder.ts';

const keyBytes = 32;

/** How long another worker takes at most to write a key, in milliseconds. */
const writeMs = 200;

/** The key in a file; undefined as long as it is incomplete. Makes one where there is none. */
async function readOrMake(file: string): Promise<string | undefined> {
  const fresh = randomBytes(keyBytes).toString('hex');
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((fault) => {
    if (fault.code !== 'EEXIST') throw fault;
  });
  const key = await readFile(file, 'utf8');
  return key.length === fresh.length ? key : undefined;
}

/** A key in a file, above the folders of tenants: those are in Saltcorn's backups. */
async function keyInFile(): Promise<string> {
  const file = join(db.connectObj.file_store, `.${definitions.manifest.id}-key`);
  await mkdir(db.connectObj.file_store, { recursive: true });
  const known = await readOrMake(file);
  if (known) return known;
  await setTimeout(writeMs);
  const written = await readOrMake(file);
  if (written) return written;
  // A full disk cut it off, so nothing is encrypted with it.
  await rm(file, { force: true });
  const key = await readOrMake(file);
  if (key) return key;
  throw new Error(`The key in ${file} cannot be written. Check whether the disk is full.`);
}

/**
 * What secrets are encrypted with, which is not in the database: Saltcorn's session secret. Where no one has set one, Saltcorn
 * invents one at each start or takes one that everyone knows; then it is a key in a file.
 */
export async function ownKey(): Promise<string> {
  const configured = process.env.SALTCORN_SESSION_SECRET || Object(getConfigFile()).session_secret;
  return configured || keyInFile();
}
