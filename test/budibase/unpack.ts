import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * Unpacks the package like Budibase. Returns the names of its files, its description, and the path of its code.
 *
 * @param built the folder of the build
 */
export function unpack(built = join(root, 'dist')) {
  const folder = temporaryFolder('budibase-plugin');
  const archive = join(built, `budibase-telephony-${version}.tar.gz`);
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const files = readdirSync(folder).sort();
  const schema = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8'));
  // Budibase stores the code in a file that is named like the plugin.
  mkdirSync(join(folder, 'datasource'));
  const plugin = join(folder, 'datasource', 'budibase-telephony');
  renameSync(join(folder, 'plugin.min.js'), plugin);
  return { files, schema, plugin };
}
