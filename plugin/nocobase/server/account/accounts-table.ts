import { definitions } from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { allSecretKeys, authTokenKey } from '../../secrets.ts';

const limitTypes = {
  ...{ switch: 'boolean', integer: 'integer' },
  ...{ countries: 'text', hours: 'text', choice: 'text' },
};

const text = (name: string) => ({ name, type: 'text', hidden: allSecretKeys.includes(name) });

/** The accounts collection. Secrets are encrypted, and NocoBase returns them in no response. */
export const accountsCollection = {
  name: accountsResource,
  hidden: true,
  autoGenId: false,
  // Lets the app's owner choose whether backups and migrations include the accounts.
  dumpRules: { group: 'user' },
  fields: [
    { name: 'key', type: 'string', primaryKey: true },
    text('label'),
    ...definitions.settings.fields.map(({ key }) => text(key)),
    text(authTokenKey),
    text('defaultSender'),
    text('publicAddress'),
    ...definitions.settings.limits.map(({ key, type }) => ({ name: key, type: limitTypes[type] })),
    { name: 'reported', type: 'boolean' },
    { name: 'pollMinutes', type: 'double' },
    { name: 'roles', type: 'json' },
    { name: 'buttonRoles', type: 'json' },
  ],
};
