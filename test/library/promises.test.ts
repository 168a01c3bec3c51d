import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

const folders = readdirSync(join(root, 'plugin'), { withFileTypes: true });
const builders = folders.filter((one) => one.isDirectory()).map(({ name }) => name);

test.each(builders)('the table of promises runs in %s', (builder) => {
  const files = [`${builder}.ts`, `${builder}.test.ts`];
  const missing = files.filter((file) => !existsSync(join(root, 'test/promises', file)));
  expect(missing).toEqual([]);
});
