import type { HttpHelpers, Values } from 'n8n-workflow';
import { pickLimits, testSettings } from '../../../src/builder.ts';
import { httpOf } from '../account/http.ts';

/** Tests a credential, saved or not. n8n shows the message of an error only, so an account that can't be tested is one. */
export async function testCredential(
  this: { helpers: HttpHelpers },
  credential: { data?: Values },
): Promise<{ status: 'OK' | 'Error'; message: string }> {
  const http = httpOf(this.helpers);
  const { data = {} } = credential;
  const { outcome, message } = await testSettings(data, {}, { http, spending: pickLimits(data) });
  return { status: outcome === 'works' ? 'OK' : 'Error', message };
}
