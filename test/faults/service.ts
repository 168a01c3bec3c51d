import { sisterHosts } from '../../demo/sandbox/index.ts';
import { connect, type Http, type Limits, type Telephony } from '../../src/builder.ts';

export const account = {
  username: 'AC00000000000000000000000000000001',
  password: 'not-a-real-token-5a5a',
};

export const accountPath = `/2010-04-01/Accounts/${account.username}`;
export const basic = Buffer.from(`${account.username}:${account.password}`).toString('base64');
export const callSid = 'CA00000000000000000000000000000001';

export const telephonyAt = (
  baseUrl: string,
  limits: Partial<Limits> = {},
  http?: Http,
): Telephony => connect({ ...account, baseUrl, ...sisterHosts(baseUrl), limits, http });

export const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello' };

/** Makes waits before retries take no time, and counts them by its calls. */
export function skipRetryWaits(): jest.SpyInstance<number, []> {
  return jest.spyOn(Math, 'random').mockReturnValue(0);
}
