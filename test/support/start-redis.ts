import { freePort } from '../../demo/ports.ts';
import { needs, skipWithout } from './needs.ts';
import { startProgram } from './start-program.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { until } from './until.ts';

skipWithout(needs.redis);

/**
 * Starts an empty Redis, on loopback only. It ends after its tests.
 *
 * @returns its port
 */
export async function startRedis(): Promise<number> {
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const folder = temporaryFolder('redis');
  const server = startProgram(needs.redis.path ?? '', [...args, '--dir', folder], {});
  let written = '';
  server.stdout?.on('data', (text) => {
    written += text;
  });
  await until(() => written.includes('Ready to accept connections'));
  return port;
}
