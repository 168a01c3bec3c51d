import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { catalogue } from './editor/catalogue.ts';
import { helpHtml, nodeHtml } from './editor/html.ts';
import { pages } from './editor/pages.ts';
import { readLanguages } from './locale/languages.ts';
import { english } from './locale/translate.ts';

async function editorScript(root: string) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'plugin/node-red/editor/script.ts')],
    globalName: 'telephonyNodes',
    bundle: true,
    write: false,
    minify: true,
    // The library code that the script imports uses no package.
    packages: 'external',
  });
  return outputFiles[0]?.text ?? '';
}

async function editorPage(root: string) {
  const script = `<script type="text/javascript">${await editorScript(root)}</script>`;
  return [script, ...pages.map(nodeHtml)].join('');
}

/** The catalogues of dialog texts and the help of nodes, at the paths where Node-RED looks for them. */
async function locales(root: string) {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const files = { 'locales/en-US/index.json': json(catalogue(english)) };
  for (const { folder, translate } of await readLanguages(root))
    Object.assign(files, {
      [`locales/${folder}/index.json`]: json(catalogue(translate)),
      [`locales/${folder}/index.html`]: pages.map((page) => helpHtml(page, translate)).join(''),
    });
  return files;
}

/** The example flows in the import dialog, by file of the demo. */
const exampleFiles = {
  'First SMS': 'first-sms',
  'Alarm by SMS': 'alarm',
  'Text a list of people': 'text-a-list',
  'SMS for each row': 'sms-for-each-row',
  'Missed calls': 'missed-calls',
  'Answer an SMS': 'answer-an-sms',
  Voicemail: 'voicemail',
  'Phone menu': 'phone-menu',
  'Tell me when a call was missed': 'missed-call-alert',
  'Appointment confirmed by YES': 'appointment',
  'Telephony desk': 'desk',
};

async function examples(root: string) {
  const files = Object.entries(exampleFiles).map(async ([name, file]) => {
    const flow = await readFile(join(root, 'demo/node-red', `${file}.json`), 'utf8');
    return [`examples/${name}.json`, flow] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}

/**
 * The package's files except its code: the editor's page and translations, generated from the definitions, and the
 * example flows.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  return {
    'index.html': await editorPage(root),
    ...(await locales(root)),
    ...(await examples(root)),
  };
}
