import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bubblePlugin } from './bubble.ts';
import { readExamples } from './examples.ts';
import { openapi } from './openapi.ts';
import { openapi30 } from './openapi-3-0.ts';
import { postmanCollection } from './postman.ts';
import { apiProperties } from './power-platform.ts';
import { swagger20 } from './swagger-2-0.ts';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * The descriptions of the service, for builders that import one. Power Platform's tools expect these file names.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const { license: name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const license = { name, url: `https://opensource.org/license/${name.toLowerCase()}` };
  const icon = await readFile(join(root, 'plugin/icon.svg'), 'utf8');
  const examples = await readExamples(root);
  const document = openapi(examples, license);
  const document30 = openapi30(document);
  return {
    'openapi-3.1.json': json(document),
    'openapi-3.0.json': json(document30),
    'apiDefinition.swagger.json': json(swagger20(document30)),
    'apiProperties.json': json(apiProperties(icon.match(/fill="(#\w+)"/)?.[1] ?? '')),
    'telephony.postman_collection.json': json(postmanCollection(examples)),
    ...Object.fromEntries(
      Object.entries(bubblePlugin()).map(([path, text]) => [`bubble/${path}`, text]),
    ),
  };
}
