/** Prints what Redocly's recommended rules and the JSON Schemas of OpenAPI find in documents: `node lint.mjs <file>...`. */
import { readFile } from 'node:fs/promises';
import { createConfig, lint } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

const config = await createConfig({ extends: ['recommended'] });
const found = [];
for (const file of process.argv.slice(2)) {
  const problems = await lint({ ref: file, config });
  found.push(
    ...problems.map(({ ruleId, message, location: [at] }) => [ruleId, message, at?.pointer]),
  );
  const { valid, errors } = await new Validator().validate(
    JSON.parse(await readFile(file, 'utf8')),
  );
  if (!valid) found.push(['schema', errors]);
}
console.log(JSON.stringify(found));
