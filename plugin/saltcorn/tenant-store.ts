import { moveEarlierBatches } from './bulk/earlier-batches.ts';
import { moveEarlierEvents } from './event/earlier-events.ts';
import { forget } from './metadata.ts';
import { saltcornStore } from './store.ts';

/** What the module keeps of each tenant. The first use moves what versions before the store have kept. */
export const store = saltcornStore(async () => {
  await moveEarlierEvents();
  await moveEarlierBatches();
  await forget({ type: 'Telephony click' });
});
