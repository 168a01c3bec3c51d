/** Takes the pictures of the docs from what the browser tests have just shown: `npm run pictures`. */
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const artefacts = join(import.meta.dirname, '../test/artefacts');

/** The picture of the docs, the story of the tests that shows it, and its name there. */
const pictures = [
  ['desk.png', 'desk', 'desk'],
  ['node-red.png', 'node-red', 'sms-sent'],
  ['recipe-missed-calls.png', 'recipes', 'missed-calls'],
  ['recipe-recordings.png', 'recipes', 'recordings-of-a-caller'],
  ['saltcorn-settings.png', 'saltcorn', 'settings'],
  ['saltcorn-customer.png', 'customers', 'customer'],
  ['saltcorn-bulk.png', 'customers', 'texted'],
  ['saltcorn-unavailable.png', 'customers', 'service-down'],
];

for (const [picture, story, name] of pictures) {
  const shown = await readdir(join(artefacts, story));
  const file = shown.find((entry) => entry.replace(/^\d+-/, '') === `${name}.png`);
  if (!file) throw new Error(`The story “${story}” shows no “${name}”.`);
  await copyFile(join(artefacts, story, file), join(import.meta.dirname, picture));
}
