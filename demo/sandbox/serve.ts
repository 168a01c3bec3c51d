import { parseArgs } from 'node:util';
import type { NumberSettings } from './events.ts';
import { ACCOUNT_NUMBERS, startSandbox } from './index.ts';

const OPTIONS = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  file: { type: 'string' },
  limit: { type: 'string' },
  'report-to': { type: 'string' },
  'public-media': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const USAGE = `Starts a sandbox of the service. Usage: npm run sandbox -- [options]

  --port 4010        the port; 0 for a free one
  --host 127.0.0.1   the address to listen on
  --file state.json  keeps the records in a file
  --limit 50         accepts so many requests per second
  --report-to <URL>  sends events of all numbers to this webhook URL
  --public-media     serves recordings and pictures without a login`;

try {
  await serve();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const {
    port,
    host,
    file,
    limit,
    'public-media': publicMedia,
    'report-to': reportTo,
    help,
  } = parseArgs({ options: OPTIONS }).values;
  if (help) return console.log(USAGE);
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port ${port} is not a port number.`);
  if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
    throw new Error(`--limit ${limit} is not a number of requests.`);
  const place = {
    ...{ port: Number(port), host, publicMedia, numbers: numbersOf(reportTo) },
    ...(limit !== undefined && { limit: { requests: Number(limit) } }),
  };
  const sandbox = await startSandbox(file === undefined ? place : { ...place, file });
  const { url, username, password } = sandbox;
  console.log(`Telephony sandbox ready at ${url} (username ${username}, password ${password})`);
  process.send?.({ url, username, password });
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => sandbox.close());
  // The channel to the parent must not keep the process alive.
  process.channel?.unref();
}

/** Uses one webhook URL for all numbers of the account, if there is one. */
function numbersOf(address: string | undefined): Record<string, NumberSettings> {
  if (address === undefined) return {};
  const settings = { smsUrl: address, voiceUrl: address, statusCallback: address };
  return Object.fromEntries(Object.values(ACCOUNT_NUMBERS).map(({ number }) => [number, settings]));
}
