import { definitions } from '../../../src/builder.ts';

/** The events that triggers and workflows can start from. */
export const eventTypes = Object.fromEntries(
  definitions.events.map(({ name }) => [name, { hasChannel: false }]),
);
