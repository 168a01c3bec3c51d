import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packagedBuilders } from '../support/document.ts';
import { root } from '../support/root.ts';

test.each(packagedBuilders)('the table of promises runs in %s', (builder) => {
  expect(existsSync(join(root, 'test', builder, 'promises.test.ts'))).toBe(true);
});
