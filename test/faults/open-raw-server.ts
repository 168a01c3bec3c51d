import { closeAfterwards } from '../support/close-afterwards.ts';
import { listen, type RawServer } from './raw-server.ts';

/** A raw server, closed after its tests. */
export const openRawServer = async (...options: Parameters<typeof listen>): Promise<RawServer> =>
  closeAfterwards(await listen(...options));
