import { statSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, replyForms } from '../../src/builder.ts';
import { openAfter } from '../support/open-after.ts';
import { root } from '../support/root.ts';

const plugin = join(root, 'dist/saltcorn/index.js');

test('loading the plugin opens nothing, waits for nothing and sets up no HTTP', () => {
  expect(openAfter(`require(${JSON.stringify(plugin)});`)).toEqual(openAfter(''));
});

test('the plugin stays below its size limit for its operations and events', () => {
  const { dataSources, actions, events } = definitions;
  // Almost a third of it is the numbering plans of all countries, which decide what a phone number is. Translations take 6 KB, the pages of batches, composed and in three languages, 9 KB, errors, reasons and tests that can be translated 24 KB, columns of linked tables 3 KB, other hosts and templates 3 KB, the page that counts the rows that are read 2 KB, axios 57 KB, limits on what is sent, with their event, 16 KB, who opted out 5 KB, answers that update a row 5 KB, what was delivered 8 KB, gaps in templates and names of questions 4 KB, checks on saving and times of toasts 3 KB, several values and recipients 2 KB, connecting a number 15 KB, charts 8 KB, the checks of arguments 2 KB.
  const forms = dataSources.length + actions.length + replyForms.length;
  const kilobytes = 664 + 3 * (forms - 7) + 1.5 * events.length;
  expect(statSync(plugin).size).toBeLessThanOrEqual(kilobytes * 1024);
});
