import { definitions } from '../../../src/builder.ts';

/** The path of webhooks. */
export const eventPath = `/${definitions.manifest.id}/events`;
