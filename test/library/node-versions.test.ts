import { dependencies } from '../../.ci/package.json';
import { engines } from '../../package.json';
import { documents, readDocument } from '../support/document.ts';

// Only the plugin's requirements: a builder may need a newer Node.
const required = documents.flatMap((page) =>
  [...readDocument(page).matchAll(/(?:\[Node\]\(\S+|\bon Node) (\S+) or newer/g)].map(
    ([, version]): [page: string, version: string | undefined] => [page, version],
  ),
);

test.each(required)('%s requires the Node version of package.json: %s', (_, version) => {
  expect(`>=${version}`).toBe(engines.node);
});

test('the README names the Node versions of CI', () => {
  const majors = Object.keys(dependencies).map((name) => name.replace('node-', ''));
  const named = readDocument('README.md')
    .match(/tested on Node (.+) and (\d+)/)
    ?.slice(1);
  expect(named?.flatMap((text) => text.split(', '))).toEqual(majors);
});

test('some pages require a Node version', () => {
  expect(required.length).toBeGreaterThan(1);
});
