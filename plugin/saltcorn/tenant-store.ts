import { moveEarlierBatches } from './bulk/earlier-batches.ts';
import { moveEarlierEvents } from './event/earlier-events.ts';
import { forget } from './metadata.ts';
import { saltcornStore } from './store.ts';

/** The tenant's store. Its first use moves the data of versions before the store. */
export const store = saltcornStore(async () => {
  await moveEarlierEvents();
  await moveEarlierBatches();
  await forget({ type: 'Telephony click' });
});
