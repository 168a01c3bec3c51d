import type { Fault } from '../../demo/sandbox/index.ts';

/** A service without a message log, such as one for sending only, so that an unknown outcome stays unknown. */
export const shownNowhere: Fault = {
  ...{ name: 'missing', method: 'GET' },
  ...{ path: '/Messages', times: 1_000 },
};
