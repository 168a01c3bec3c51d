import { setSettingsLocation } from '../../src/builder.ts';

export { TelephonyIntegration as integration } from './integration.ts';
export { schema } from './schema.ts';

setSettingsLocation('the data source');
