import { definitions } from '../../../src/index.ts';

/** Where events come. */
export const eventPath = `/${definitions.manifest.id}/events`;
