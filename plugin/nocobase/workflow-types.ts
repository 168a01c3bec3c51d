import {
  definitions,
  type EventDefinition,
  type EventReply,
  type Operation,
} from '../../src/builder.ts';

const { id: plugin } = definitions.manifest;

/** The workflow node type of an operation or a reply. */
export const instructionType = ({ id }: Operation | EventReply) => `${plugin}-${id}`;

/** The workflow trigger type of an event. */
export const triggerType = ({ id }: EventDefinition) => `${plugin}-${id}`;
