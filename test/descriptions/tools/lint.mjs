/**
 * Prints what Redocly's recommended rules, the JSON Schemas of OpenAPI, and the parser of Budibase and Lowcoder find in documents:
 * `node lint.mjs <file>...`.
 */
import { readFile } from 'node:fs/promises';
import SwaggerParser from '@apidevtools/swagger-parser';
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
  await SwaggerParser.validate(file).catch(({ message }) => found.push(['parser', message]));
}
console.log(JSON.stringify(found));
