import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { definitions, replyForms } from '../../src/builder.ts';

const nodes = ['Telephony', 'TelephonyTrigger', 'TelephonyPollTrigger', 'TelephonyLimitTrigger'];
const aliases = [
  ...['SMS', 'Text Message', 'Phone Call', 'Recording', 'Voicemail', 'WhatsApp', 'Twilio'],
  ...[...definitions.actions, ...replyForms].map(({ name }) => name),
];

const entry = (name: string, root: string) =>
  `const { ${name} } = require('${root}index.js');\nmodule.exports = { ${name} };\n`;

/** What n8n's search finds a node by. n8n ignores it without `resources`. */
const codex = (name: string) => ({
  node: `n8n-nodes-telephony.${name.replace(/^T/, 't')}`,
  nodeVersion: '1.0',
  codexVersion: '1.0',
  categories: ['Communication'],
  alias: aliases,
  resources: {},
});

/**
 * The files that n8n looks for: one for each node and credential, named for its class.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  return {
    ...Object.fromEntries(
      nodes.flatMap((name) => [
        [`dist/nodes/${name}/${name}.node.js`, entry(name, '../../../')],
        [`dist/nodes/${name}/${name}.node.json`, `${JSON.stringify(codex(name), null, 2)}\n`],
      ]),
    ),
    'dist/credentials/TelephonyApi.credentials.js': entry('TelephonyApi', '../../'),
    'dist/icon.svg': await readFile(join(root, 'plugin/icon.svg'), 'utf8'),
  };
}
