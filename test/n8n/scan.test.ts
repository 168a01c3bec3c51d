import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../descriptions/tools.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Returns the files and the rules that n8n's scanner of packages finds a package to break. */
async function scan(folder: string): Promise<string[]> {
  const found = JSON.parse(await runTool(join(__dirname, 'tools'), 'scan.mjs', folder));
  return found.map(([file, rule]: string[]) => `${file}: ${rule?.split('/').at(-1)}`);
}

// The publisher of the package fills them in.
const publisher = [
  'require-homepage',
  'community-package-json-author-name-missing',
  'valid-author',
];

test('n8n’s scanner finds nothing in the package, except that its publisher is missing', async () => {
  const found = await scan(join(root, 'dist/n8n'));
  const missing = publisher.map((rule) => `package.json: ${rule}`);
  expect(found.filter((one) => !missing.includes(one))).toEqual([]);
});

test('n8n’s scanner finds timers and modules of Node', async () => {
  const folder = temporaryFolder('n8n-scan');
  writeFileSync(join(folder, 'index.js'), 'setTimeout(() => {}, 1); require("node:http");');
  writeFileSync(join(folder, 'package.json'), '{}');
  expect(await scan(folder)).toEqual(
    expect.arrayContaining(['index.js: no-restricted-globals', 'index.js: no-restricted-imports']),
  );
});
