import { join } from 'node:path';
import { openAfter } from '../support/open-after.ts';
import { root } from '../support/root.ts';

const dist = join(root, 'dist');

test.each([
  ['the library', `require(${JSON.stringify(join(dist, 'cjs/index.js'))});`],
  ['the library as an ES module', `await import(${JSON.stringify(join(dist, 'esm/index.js'))});`],
])('loading %s opens nothing, waits for nothing and sets up no HTTP', (_, source) => {
  expect(openAfter(source)).toEqual(openAfter(''));
});
