import { fixedValue } from './fixed-settings.ts';
import { authTokenKey, storedSecrets } from './stored-secrets.ts';

/** What events are signed by, where that is not the password; empty where it is. */
export async function authTokenOf(): Promise<string> {
  const secrets = await storedSecrets();
  return String(fixedValue(authTokenKey) ?? secrets[authTokenKey] ?? '');
}
