import { definitions, sentence, setSettingsLocation } from '../../src/builder.ts';
import { TelephonyService } from './service.ts';

setSettingsLocation(sentence('the data source'));

const { id, version } = definitions.manifest;
const key = Symbol.for(`tooljet ${id} ${version}`);

// ToolJet evaluates this module for each query. The queue, the rate limit and the store must outlive it.
const service = (Reflect.get(process, key) ?? TelephonyService) as typeof TelephonyService;
Reflect.set(process, key, service);

export default service;
