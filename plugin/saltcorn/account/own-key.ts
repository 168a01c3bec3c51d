import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import db from '@saltcorn/data/db';
import { getConfigFile } from '@saltcorn/data/db/connect';
import { definitions } from '../../../src/builder.ts';

const keyBytes = 32;

/** How long another worker may take to write the key, in milliseconds. */
const writeMs = 200;

/** Reads the key, and creates the file if there is none. Undefined while the key is incomplete. */
async function readOrMake(file: string): Promise<string | undefined> {
  const fresh = randomBytes(keyBytes).toString('hex');
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((fault) => {
    if (fault.code !== 'EEXIST') throw fault;
  });
  const key = await readFile(file, 'utf8');
  return key.length === fresh.length ? key : undefined;
}

/** A key in a file above the tenants' folders, because Saltcorn's backups contain those. */
async function keyInFile(): Promise<string> {
  const file = join(db.connectObj.file_store, `.${definitions.manifest.id}-key`);
  await mkdir(db.connectObj.file_store, { recursive: true });
  const known = await readOrMake(file);
  if (known) return known;
  await setTimeout(writeMs);
  const written = await readOrMake(file);
  if (written) return written;
  // A full disk truncated the key, so nothing is encrypted with it.
  await rm(file, { force: true });
  const key = await readOrMake(file);
  if (key) return key;
  throw new Error(`The key in ${file} cannot be written. Check whether the disk is full.`);
}

/**
 * The key that encrypts secrets. It isn't in the database: it is Saltcorn's session secret or, without a configured
 * one, a key in a file, because Saltcorn then invents a secret at each start or uses a public one.
 */
export async function ownKey(): Promise<string> {
  const configured = process.env.SALTCORN_SESSION_SECRET || Object(getConfigFile()).session_secret;
  return configured || keyInFile();
}
