import { definitions, secretKeys } from '../../../../src/index.ts';
import { accountsResource } from '../../resources.ts';

const text = (name: string) => ({ name, type: 'text' });

/** The table of accounts, as NocoBase takes it. Secrets are encrypted, and in no answer. */
export const accountsCollection = {
  name: accountsResource,
  hidden: true,
  autoGenId: false,
  // What is in a backup or a migration of the application is for its owner to choose.
  dumpRules: { group: 'user' },
  fields: [
    { name: 'key', type: 'string', primaryKey: true },
    text('label'),
    ...definitions.settings.fields.map(({ key }) => ({
      ...text(key),
      hidden: secretKeys.includes(key),
    })),
    text('defaultSender'),
    { name: 'roles', type: 'json' },
  ],
};
