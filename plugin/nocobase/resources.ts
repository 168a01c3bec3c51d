import { definitions } from '../../src/builder.ts';

const { id } = definitions.manifest;

/**
 * The plugin's resources in NocoBase's API: accounts (also a table), actions, choices, media and batches. The store is
 * only a table.
 */
export const accountsResource = `${id}Accounts`;
export const actionsResource = `${id}Actions`;
/** The action that lists what a user may do. */
export const usableAction = 'listUsable';
export const choicesResource = `${id}Choices`;
export const mediaResource = `${id}Media`;
export const runsResource = `${id}Runs`;
export const storeTable = `${id}Store`;
