/** Prints what n8n's scanner of packages finds in the code and the package.json of a package: `node scan.mjs <folder>`. */
import { basename } from 'node:path';
import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import { ESLint } from 'eslint';

const eslint = new ESLint({
  cwd: process.argv[2],
  allowInlineConfig: false,
  overrideConfigFile: true,
  overrideConfig: await buildScanConfig(),
});
const results = await eslint.lintFiles(['**/*.js', 'package.json']);
const found = results.flatMap(({ filePath, messages }) =>
  messages.map(({ ruleId, message }) => [basename(filePath), ruleId, message]),
);
console.log(JSON.stringify(found));
