import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { definitions, operations, replyForms } from '../../src/builder.ts';
import { batchPage } from './editor/batch-page.ts';
import { eventPage } from './editor/event-page.ts';
import { nodeHtml } from './editor/html.ts';
import { operationPage } from './editor/operation-page.ts';
import { replyPage } from './editor/reply-page.ts';
import { settingsPage } from './settings/settings-page.ts';

async function editorScript(root: string) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'plugin/node-red/editor/script.ts')],
    globalName: 'telephonyNodes',
    bundle: true,
    write: false,
    minify: true,
    // What it has of the library needs none.
    packages: 'external',
  });
  return outputFiles[0]?.text ?? '';
}

async function editorPage(root: string) {
  const script = `<script type="text/javascript">${await editorScript(root)}</script>`;
  const pages = [
    settingsPage,
    ...operations.map(operationPage),
    ...definitions.actions.map(batchPage),
    ...definitions.events.map(eventPage),
    ...replyForms.map(replyPage),
  ];
  return [script, ...pages.map(nodeHtml)].join('');
}

/**
 * The files of the package besides its code: what the editor shows, made from the definitions, the icons, and the flows
 * that the import dialog offers.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  return {
    'index.html': await editorPage(root),
    'icons/read.svg': await read('plugin/node-red/icons/read.svg'),
    'icons/act.svg': await read('plugin/node-red/icons/act.svg'),
    'icons/hear.svg': await read('plugin/node-red/icons/hear.svg'),
    'examples/First SMS.json': await read('demo/node-red/first-sms.json'),
    'examples/SMS for each row.json': await read('demo/node-red/sms-for-each-row.json'),
    'examples/Voicemail.json': await read('demo/node-red/voicemail.json'),
    'examples/Telephony desk.json': await read('demo/node-red/desk.json'),
  };
}
