import type { Fault } from '../../demo/sandbox/index.ts';

/** A service that shows no messages, as those that are for sending only: what became of one stays unknown. */
export const shownNowhere: Fault = {
  ...{ name: 'missing', method: 'GET' },
  ...{ path: '/Messages', times: 1_000 },
};
