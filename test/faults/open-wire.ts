import { closeAfterwards } from '../support/close-afterwards.ts';
import { listen, type Wire } from './wire.ts';

/** A wire, see `listen`, that is closed after the tests it was opened for. */
export const openWire = async (...options: Parameters<typeof listen>): Promise<Wire> =>
  closeAfterwards(await listen(...options));
