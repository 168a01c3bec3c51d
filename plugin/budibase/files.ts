import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definitions } from '../../src/builder.ts';
import { schema } from './schema.ts';

/**
 * The file that describes the plugin to Budibase.
 *
 * @param folder the folder of the package, which contains its code
 */
export async function files(_: string, folder: string): Promise<Record<string, string>> {
  const code = await readFile(join(folder, 'plugin.min.js'));
  // Budibase loads a plugin's code again if its hash has changed.
  const hash = createHash('sha256').update(code).digest('hex');
  const { version } = definitions.manifest;
  return { 'schema.json': `${JSON.stringify({ ...schema, hash, version }, null, 2)}\n` };
}
