import { definitions } from '../../../src/builder.ts';

/** The path of the numbers of accounts. */
export const numbersPath = `/${definitions.manifest.id}/numbers`;
