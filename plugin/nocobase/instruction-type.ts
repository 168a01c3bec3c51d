import { definitions, type Operation } from '../../src/index.ts';

/** The type of an operation's node in workflows. */
export const instructionType = ({ id }: Operation) => `${definitions.manifest.id}-${id}`;
