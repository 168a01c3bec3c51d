import { fixedValue } from './fixed-settings.ts';
import { authTokenKey, storedSecrets } from './stored-secrets.ts';

/** The Auth Token that signs webhooks; empty if the password does. */
export async function authTokenOf(): Promise<string> {
  const secrets = await storedSecrets();
  return String(fixedValue(authTokenKey) ?? secrets[authTokenKey] ?? '');
}
