import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readExamples } from './examples.ts';
import { openapi } from './openapi.ts';
import { openapi30 } from './openapi-3-0.ts';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The descriptions of the service, for builders that import one.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const { license: name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const license = { name, url: `https://opensource.org/license/${name.toLowerCase()}` };
  const document = openapi(await readExamples(root), license);
  return {
    'openapi-3.1.json': json(document),
    'openapi-3.0.json': json(openapi30(document)),
  };
}
