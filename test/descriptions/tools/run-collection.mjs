/** Sends the requests of a Postman collection with the values of some variables: `node run-collection.mjs <file> <json>`. */
import { promisify } from 'node:util';
import newman from 'newman';

const [collection, variables] = process.argv.slice(2);
const envVar = Object.entries(JSON.parse(variables)).map(([key, value]) => ({ key, value }));
const { run } = await promisify(newman.run)({ collection, envVar });
const failed = run.failures.map(({ error }) => error.message);
if (failed.length > 0) throw new Error(failed.join('\n'));
