import { sentence, setSettingsLocation } from '../../src/builder.ts';

export { TelephonyIntegration as integration } from './integration.ts';
export { schema } from './schema.ts';

setSettingsLocation(sentence('the data source'));
