import { eventsTable } from '../../../plugin/nocobase/resources.ts';
import { forgetOldEvents, ToldEvents } from '../../../plugin/nocobase/server/event/told-events.ts';
import { toldEventsCollection } from '../../../plugin/nocobase/server/event/told-events-table.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import type { EventNote } from '../../../src/index.ts';
import { openDatabase } from '../open-database.ts';

// For how long NocoBase's database keeps that an event was told.

const day = 24 * 3_600_000;
const note = (key: string): EventNote => ({
  ...{ key, signature: `signature of ${key}`, subject: `subject of ${key}`, step: 1, lateFrom: 2 },
});

test('an hourly purge deletes all log entries older than a month, delivered or not', async () => {
  const db = await openDatabase([toldEventsCollection]);
  const table = db.getCollection(eventsTable);
  // They need no more of NocoBase than this.
  const app = { db } as unknown as Application;
  const events = new ToldEvents(app, 'a');
  await db.sequelize.query(
    `insert into "${eventsTable}" (key, signature, subject, "isTold", account, step, at)
      select 'old ' || n, 's' || n, 't' || n, n % 100 > 0, 'a', 1, ${Date.now() - 31 * day}
        from generate_series(1, 60000) as n`,
  );
  for (const [key, age] of [
    ['young', 29 * day],
    ['untold', 29 * day],
  ] as const)
    await table.model.create({
      ...{ key, signature: key, subject: key, turn: null, step: 1, account: 'a' },
      ...{ isTold: key === 'young', at: Date.now() - age },
    });
  await forgetOldEvents(app);
  expect(await events.note(note('new'))).toBe('new');
  const kept = await table.repository.find({ sort: ['at'] });
  expect(kept.map((row) => row.get('key')).sort()).toEqual(
    [expect.stringMatching(/^[0-9a-f]{64}$/), 'untold', 'young'].sort(),
  );
});
