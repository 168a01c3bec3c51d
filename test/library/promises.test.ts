import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.ts';

const folders = readdirSync(join(root, 'plugin'), { withFileTypes: true });
const builders = folders.filter((one) => one.isDirectory()).map(({ name }) => name);

test.each(builders)('the table of promises runs in %s', (builder) => {
  expect(existsSync(join(root, 'test', builder, 'promises.test.ts'))).toBe(true);
});
