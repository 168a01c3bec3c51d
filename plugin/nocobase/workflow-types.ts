import {
  definitions,
  type EventDefinition,
  type EventReply,
  type Operation,
} from '../../src/builder.ts';

const { id: plugin } = definitions.manifest;

/** The type of the node of an operation or a reply in workflows. */
export const instructionType = ({ id }: Operation | EventReply) => `${plugin}-${id}`;

/** The type of the trigger of workflows that start from an event. */
export const triggerType = ({ id }: EventDefinition) => `${plugin}-${id}`;
