import {
  type Action,
  Batches,
  definitions,
  type LogStore,
  planRow,
  type Telephony,
} from '../../src/builder.ts';

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];

/** Returns the number of a row. */
export const phoneOf = (index: number): string => `+1202${5_550_000 + index}`;

/** How many messages the recipient of a row must have, by its outcome in the last batch. */
export const messagesOf: Record<string, number> = { 'already-done': 1, done: 1, unknown: 0 };

/**
 * Presses a button that sends an SMS to each of some numbers, and starts its batch.
 *
 * @param isAlone whether no other process runs batches
 */
export async function startBatch(
  store: LogStore,
  telephony: Telephony,
  count: number,
  isAlone = true,
) {
  const press = { owner: 'Ada', actionId: action.id, button: 'B', context: undefined };
  const batches = new Batches<undefined>(store, { isAlone: () => isAlone });
  const items = Array.from({ length: count }, (_, index) =>
    planRow(action, {
      ...{ row: ['People', index], name: `P${index}`, filled: ['to'] },
      input: () => ({ from: '+14155550100', to: phoneOf(index), body: 'Hello' }),
    }),
  );
  const { key, items: shown } = await batches.openPreview(press, { items });
  const reported: unknown[] = [];
  const report = (error: unknown) => reported.push(error);
  const work = { action, open: async () => telephony, report };
  const isStarted = await batches.start(key, 'Ada', work);
  return {
    ...{ batches, shown, reported, isStarted },
    /** Its rows, as they are now. */
    rows: async () => (await batches.find(key, 'Ada'))?.items ?? [],
    hasEnded: async () => (await batches.find(key, 'Ada'))?.state === 'ended',
  };
}
