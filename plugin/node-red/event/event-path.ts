import { definitions } from '../../../src/builder.ts';

const { id } = definitions.manifest;

/** Where events come, below the root of the pages of flows. */
export const eventPath = `/${id}/events`;

/** Where the editor asks for news of them. */
export const newsPath = `/${id}/event-news`;
