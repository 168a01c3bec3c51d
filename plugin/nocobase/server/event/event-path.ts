import { definitions } from '../../../../src/builder.ts';

const root = () => (process.env.API_BASE_PATH ?? '/api/').replace(/\/*$/, '');

const below = () => `${root()}/${definitions.manifest.id}/events/`;

/** The path of an account's webhook URL. */
export const eventPath = (account: string): string => below() + encodeURIComponent(account);

/**
 * The account key in a webhook path, or the raw text if it can't be decoded. Undefined if the path is not a webhook's.
 */
export function accountAt(path: string): string | undefined {
  if (!path.startsWith(below())) return undefined;
  const account = path.slice(below().length);
  try {
    return decodeURIComponent(account);
  } catch {
    return account;
  }
}
