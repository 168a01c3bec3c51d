/** Copies the pictures of the docs from the latest screenshots of the browser tests: `npm run pictures`. */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const artefacts = join(import.meta.dirname, '../test/artefacts');

/** A picture of the docs, the story whose tests take it, and its name there. */
const pictures: [picture: string, story: string, name: string][] = [
  ['desk.png', 'desk', 'desk'],
  ['recipe-missed-calls.png', 'recipes', 'missed-calls'],
  ['recipe-recordings.png', 'recipes', 'recordings-of-a-caller'],
  ['saltcorn-settings.png', 'saltcorn', 'settings'],
  ['saltcorn-customer.png', 'customers', 'customer'],
  ['saltcorn-bulk-question.png', 'customers', 'question'],
  ['saltcorn-bulk.png', 'customers', 'texted'],
  ['recipe-campaign.png', 'bulk', 'campaign'],
  ['recipe-not-delivered.png', 'bulk', 'not-delivered'],
  ['saltcorn-unavailable.png', 'customers', 'service-down'],
  ['install-saltcorn-menu.png', 'install-saltcorn', 'menu'],
  ['install-saltcorn-module.png', 'install-saltcorn', 'module'],
  ['install-saltcorn-settings.png', 'install-saltcorn', 'settings'],
  ['install-saltcorn-table.png', 'install-saltcorn', 'table'],
  ['install-saltcorn-list.png', 'install-saltcorn', 'list'],
  ['install-saltcorn-button.png', 'install-saltcorn', 'button'],
  ['install-saltcorn-sent.png', 'install-saltcorn', 'sent'],
  ['install-node-red-upload.png', 'node-red', 'upload'],
  ['install-node-red-account.png', 'node-red', 'account'],
  ['install-node-red-examples.png', 'node-red', 'examples'],
  ['install-nocobase-settings.png', 'nocobase-settings-modern', 'works'],
  ['install-nocobase-text.png', 'nocobase', 'text-a-caller'],
  ['install-nocobase-recordings.png', 'nocobase', 'recordings'],
  ['recipe-nocobase-missed-calls.png', 'nocobase-recipes', 'missed-calls'],
  ['recipe-nocobase-chart.png', 'nocobase-charts', 'charts'],
  ['recipe-nocobase-customer.png', 'nocobase-customer', 'customer'],
  ['recipe-nocobase-workflow.png', 'nocobase-workflow', 'workflow'],
  ['node-red-calls.png', 'node-red', 'account-calls-at-a-desk'],
];

for (const [picture, story, name] of pictures) {
  const shown = await readdir(join(artefacts, story));
  const file = shown.find((entry) => entry.replace(/^\d+-/, '') === `${name}.png`);
  if (!file) throw new Error(`The story “${story}” shows no “${name}”.`);
  await copyFile(join(artefacts, story, file), join(import.meta.dirname, 'pictures', picture));
}
