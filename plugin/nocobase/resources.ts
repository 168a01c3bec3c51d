import { definitions } from '../../src/builder.ts';

const { id } = definitions.manifest;

/**
 * The plugin's resources in NocoBase's API: the accounts and the runs, which are tables too, what can be done, what fields offer, and audio. What the
 * plugin keeps of events is a table alone.
 */
export const accountsResource = `${id}Accounts`;
export const actionsResource = `${id}Actions`;
/** The action of that resource that lists what someone may use. */
export const usableAction = 'listUsable';
export const choicesResource = `${id}Choices`;
export const mediaResource = `${id}Media`;
export const runsResource = `${id}Runs`;
export const storeTable = `${id}Store`;
