import type { CredentialTest, Values } from 'n8n-workflow';
import { testSettings } from '../../../src/builder.ts';

/** Tests a credential, saved or not. n8n shows the message of an error only, so an account that can't be tested is one. */
export async function testCredential(credential: { data?: Values }): Promise<CredentialTest> {
  const { outcome, message } = await testSettings(credential.data ?? {});
  return { status: outcome === 'works' ? 'OK' : 'Error', message };
}
