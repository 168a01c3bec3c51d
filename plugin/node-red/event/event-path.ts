import { definitions } from '../../../src/builder.ts';

const { id } = definitions.manifest;

/** The path of webhooks, below the root of the pages of flows. */
export const eventPath = `/${id}/events`;

/** The path where the editor loads the event status. */
export const reportPath = `/${id}/event-report`;
