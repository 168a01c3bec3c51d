import { definitions } from '../../src/index.ts';

const { id } = definitions.manifest;

/**
 * The plugin's resources in NocoBase's API: the accounts and the runs, which are tables too, what can be done, and sounds.
 */
export const accountsResource = `${id}Accounts`;
export const actionsResource = `${id}Actions`;
export const mediaResource = `${id}Media`;
export const runsResource = `${id}Runs`;
