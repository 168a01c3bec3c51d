import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { manifest } from './manifest.ts';
import { operationForms } from './operations.ts';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The files that ToolJet installs besides the code, where it looks for them.
 *
 * @param root the folder of the repository
 */
export const files = async (root: string): Promise<Record<string, string>> => ({
  'lib/manifest.json': json(manifest),
  'lib/operations.json': json(operationForms),
  'lib/icon.svg': await readFile(join(root, 'plugin/icon.svg'), 'utf8'),
});
