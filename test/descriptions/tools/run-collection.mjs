/**
 * Sends the requests of a Postman collection with the values of some variables, and prints what its scripts log:
 * `node run-collection.mjs <file> <json>`.
 */
import { promisify } from 'node:util';
import newman from 'newman';

const [collection, variables] = process.argv.slice(2);
const envVar = Object.entries(JSON.parse(variables)).map(([key, value]) => ({ key, value }));
const { run } = await promisify((options, callback) =>
  newman.run(options, callback).on('console', (_, { messages }) => console.log(...messages)),
)({ collection, envVar });
const failed = run.failures.map(({ error }) => error.message);
if (failed.length > 0) throw new Error(failed.join('\n'));
