import { definitions, type EventDefinition, type Operation } from '../../src/builder.ts';

const { id: plugin } = definitions.manifest;

/** The type of an operation's node in workflows. */
export const instructionType = ({ id }: Operation) => `${plugin}-${id}`;

/** The type of the trigger of workflows that start from an event. */
export const triggerType = ({ id }: EventDefinition) => `${plugin}-${id}`;

/** The type of the node that replies to an event. */
export const replyType = `${plugin}-reply`;
