import { definitions } from '../../../../src/builder.ts';

const root = () => (process.env.API_BASE_PATH ?? '/api/').replace(/\/*$/, '');

const below = () => `${root()}/${definitions.manifest.id}/events/`;

/** Where the service reports the events of an account. */
export const eventPath = (account: string): string => below() + encodeURIComponent(account);

/** The account whose events come at a path, or what is there in its place; undefined where events do not come at all. */
export function accountAt(path: string): string | undefined {
  if (!path.startsWith(below())) return undefined;
  const account = path.slice(below().length);
  try {
    return decodeURIComponent(account);
  } catch {
    return account;
  }
}
