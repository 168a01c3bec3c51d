import { parseArgs } from 'node:util';
import { startSandbox } from './index.ts';

const OPTIONS = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  file: { type: 'string' },
  limit: { type: 'string' },
  'public-media': { type: 'boolean', default: false },
} as const;

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
  } = parseArgs({ options: OPTIONS }).values;
  if (!/^\d{1,5}$/.test(port)) throw new Error(`--port ${port} is not a port number.`);
  if (limit !== undefined && !/^[1-9]\d{0,6}$/.test(limit))
    throw new Error(`--limit ${limit} is not a number of requests.`);
  const place = {
    ...{ port: Number(port), host, publicMedia },
    ...(limit !== undefined && { limit: { requests: Number(limit) } }),
  };
  const sandbox = await startSandbox(file === undefined ? place : { ...place, file });
  const { url, username, password } = sandbox;
  console.log(`Telephony sandbox ready at ${url} (username ${username}, password ${password})`);
  process.send?.({ url, username, password });
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(end, () => sandbox.close());
  // Listening for the end of the channel must not keep the process alive.
  process.channel?.unref();
}
