import { runsResource } from '../../resources.ts';

const text = (name: string) => ({ name, type: 'text' });

/** The table of what is done for selected rows, as NocoBase takes it: each process knows it, and it can be read later. */
export const runsCollection = {
  name: runsResource,
  hidden: true,
  autoGenId: false,
  dumpRules: { group: 'log' },
  fields: [
    { name: 'key', type: 'string', primaryKey: true },
    text('userId'),
    text('account'),
    text('actionId'),
    text('button'),
    text('state'),
    text('previous'),
    // A button has each turn once, whoever takes it.
    { name: 'turn', type: 'string', unique: true },
    { name: 'stopped', type: 'boolean' },
    { name: 'startedAt', type: 'bigInt' },
    { name: 'aliveAt', type: 'bigInt' },
    { name: 'items', type: 'json' },
  ],
};
