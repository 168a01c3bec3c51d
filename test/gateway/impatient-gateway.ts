/**
 * Serves a gateway that waits only moments before it repeats an event, or takes over what a killed process did: a test that kills many
 * would mostly wait.
 */
import { deliveryLimits } from '../../plugin/gateway/deliveries.ts';
import { main } from '../../plugin/gateway/main.ts';
import { clickLimits } from '../../src/click/clicks.ts';

Object.assign(clickLimits, { renewMs: 400, endedMs: 3_000 });
Object.assign(deliveryLimits, {
  ...{ pollMs: 100, busyMs: 50, leaseMs: 2_000 },
  waitsMs: Array(10_000).fill(20),
});
await main(process.argv.slice(2));
