import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builders } from '../../demo/builders.ts';
import { promises } from '../promises/promises.ts';
import { readDocument, sectionOf } from '../support/document.ts';
import { root } from '../support/root.ts';

const hasFolder = (builder: string, ...folders: string[]) =>
  folders.some((folder) => existsSync(join(root, 'plugin', builder, folder)));

const isNamedIn = (builder: string, name: string) =>
  execFileSync('git', ['grep', '-l', name, '--', 'plugin'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .some((path) => path.startsWith(`plugin/${builder}/`));

/** Whether a promise is tried in a builder. */
function isTried(builder: string, name: string) {
  const found = Object.values(promises)
    .flat()
    .find((one) => one.name === name);
  if (!found) throw new Error(`No promise is called “${name}”.`);
  return found.without?.[builder] === undefined;
}

/** For each row of the table, whether a builder has the feature. */
const features: Record<string, (builder: string) => boolean> = {
  'read lists, send SMS and WhatsApp, call, record': () => true,
  'play recordings, show pictures': (builder) => hasFolder(builder, 'media', 'server/media'),
  'start something when an SMS or a call comes in': (builder) =>
    hasFolder(builder, 'event', 'server/event'),
  'connect a number with one click': (builder) => isNamedIn(builder, 'numberWebhooks'),
  'answer calls: phone menu, voicemail, forwarding': (builder) => isNamedIn(builder, 'replyForms'),
  'batches: preview, stop, resume': (builder) =>
    isTried(builder, 'a person in two rows is texted once'),
  'limits and quiet hours': (builder) =>
    isTried(builder, '“Stop sending” refuses everything at once'),
  'in German and Chinese': (builder) => hasFolder(builder, 'locale'),
  'try it with `npm start`': (builder) => Object.keys(builders).includes(builder),
};

const readme = readDocument('README.md');
const [[, ...names] = [], , ...rows] = sectionOf(readme, 'What works where')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

test('the table has every builder with a guide, and every feature', () => {
  const [guides = ''] = /^\| use everything in your builder .*$/m.exec(readme) ?? [];
  const guided = [...guides.matchAll(/\[([\w-]+)\]/g)].map(([, name]) => name);
  expect(names).toEqual(guided);
  expect(rows.map(([feature]) => feature)).toEqual(Object.keys(features));
});

test.each(rows)('“%s” is marked for the builders that have it', (feature = '', ...cells) => {
  const marked = names.filter((_, index) => cells[index] !== '–');
  expect(marked).toEqual(names.filter((name) => features[feature]?.(name.toLowerCase())));
});
