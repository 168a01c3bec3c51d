import type { EventMemory } from '../../../src/index.ts';
import { noteOf, remembersEvents } from '../../events/memory.ts';
import { saltcorn, startSaltcorn } from '../host.ts';

const query = (sql: string) => saltcorn('data/db').query(sql);

let toldEvents: EventMemory;
beforeAll(async () => {
  await startSaltcorn();
  // Saltcorn's database is the one that is named when it is loaded.
  ({ toldEvents } = require('../../../plugin/saltcorn/event/told-events.ts'));
});

remembersEvents(async () => {
  await toldEvents.note(noteOf('SM0', 0));
  await query('delete from telephony_told_events');
  return toldEvents;
});

test('an event that an ended process was delivering is new again', async () => {
  expect(await toldEvents.note(noteOf('SM1', 4))).toBe('new');
  await query("update telephony_told_events set teller = 'another process'");
  expect(await toldEvents.note(noteOf('SM1', 4))).toBe('new');
});

test('an event waits until an earlier event of the same record is delivered', async () => {
  await toldEvents.note(noteOf('SM2', 4));
  const later = toldEvents.note(noteOf('SM2', 6));
  await toldEvents.told(noteOf('SM2', 4));
  expect(await later).toBe('new');
});
