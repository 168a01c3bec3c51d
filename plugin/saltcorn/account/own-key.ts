import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import db from '@saltcorn/data/db';
import { getConfigFile } from '@saltcorn/data/db/connect';
import { definitions } from '../../../src/builder.ts';

/** A key in a file, above the folders of tenants: those are in Saltcorn's backups. */
async function keyInFile(): Promise<string> {
  const file = join(db.connectObj.file_store, `.${definitions.manifest.id}-key`);
  await mkdir(db.connectObj.file_store, { recursive: true });
  const fresh = randomBytes(32).toString('hex');
  await writeFile(file, fresh, { mode: 0o600, flag: 'wx' }).catch((fault) => {
    if (fault.code !== 'EEXIST') throw fault;
  });
  const key = await readFile(file, 'utf8');
  if (key.length === fresh.length) return key;
  throw new Error(
    `The key in ${file} is incomplete. Enter the password again and save the settings.`,
  );
}

/**
 * What secrets are encrypted with, which is not in the database: Saltcorn's session secret. Where nobody has set one, Saltcorn
 * invents one at each start or takes one that everyone knows; then it is a key in a file.
 */
export async function ownKey(): Promise<string> {
  const configured = process.env.SALTCORN_SESSION_SECRET || Object(getConfigFile()).session_secret;
  return configured || keyInFile();
}
