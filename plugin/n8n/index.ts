import { sentence, setSettingsLocation } from '../../src/builder.ts';

export { TelephonyLimitTrigger } from './event/limit-trigger.ts';
export { TelephonyPollTrigger } from './event/poll-trigger.ts';
export { TelephonyTrigger } from './event/webhook-trigger.ts';
export { Telephony } from './node/telephony-node.ts';
export { TelephonyApi } from './settings/credentials.ts';

setSettingsLocation(sentence('the credential'));
