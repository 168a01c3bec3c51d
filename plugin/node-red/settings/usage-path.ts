import { definitions } from '../../../src/builder.ts';

/** The path of how much accounts have sent. */
export const usagePath = `/${definitions.manifest.id}/usage`;
