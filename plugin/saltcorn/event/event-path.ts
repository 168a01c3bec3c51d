import { definitions } from '../../../src/builder.ts';

/** Where events come. */
export const eventPath = `/${definitions.manifest.id}/events`;
