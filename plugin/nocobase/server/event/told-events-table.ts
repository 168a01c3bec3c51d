import { eventsTable } from '../../resources.ts';

const text = (name: string) => ({ name, type: 'string' });

/** The table of events that were told, as NocoBase takes it: all processes share it, and it is there after a restart. */
export const toldEventsCollection = {
  name: eventsTable,
  hidden: true,
  autoGenId: false,
  timestamps: false,
  dumpRules: { group: 'log' },
  fields: [
    { ...text('key'), primaryKey: true },
    { ...text('signature'), unique: true },
    // Of a record one event is under way at a time, whoever tells it.
    { ...text('turn'), unique: true },
    { ...text('subject'), index: true },
    { name: 'step', type: 'integer' },
    { name: 'isTold', type: 'boolean' },
    text('account'),
    { name: 'at', type: 'bigInt' },
  ],
};
