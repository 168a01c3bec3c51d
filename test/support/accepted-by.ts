import type { Sandbox } from './open-sandbox.ts';

/** The message of a connection test that works. */
export const acceptedBy = ({ url, username }: Pick<Sandbox, 'url' | 'username'>): string =>
  `The service at ${new URL(url).host} accepts the username and the password of the account ${username}.`;
