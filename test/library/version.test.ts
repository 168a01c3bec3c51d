import { version } from '../../package.json';
import lock from '../../package-lock.json';
import { definitions } from '../../src/builder.ts';
import { documents, readDocument } from '../support/document.ts';

const tarballs = documents.flatMap((page) =>
  [...readDocument(page).matchAll(/[\w-]+-(\d[\w.-]*)\.tgz/g)].map(
    ([name, of]): [where: string, of: string | undefined] => [`${page}: ${name}`, of],
  ),
);

const places: [where: string, of: string | undefined][] = [
  ['package-lock.json', lock.version],
  ['package-lock.json: packages', lock.packages[''].version],
  ['manifest.json', definitions.manifest.version],
  ['CHANGELOG.md', readDocument('CHANGELOG.md').match(/^## \[(\d[^\]]*)\]/m)?.[1]],
  ...tarballs,
];

test.each(places)('%s has the version of package.json', (_, of) => {
  expect(of).toBe(version);
});

test('some pages name a tarball', () => {
  expect(tarballs.length).toBeGreaterThan(0);
});
