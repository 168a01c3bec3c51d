import { definitions } from '../../../src/builder.ts';

const { manifest, settings } = definitions;

/** The node type of an operation, by id. Flows store it, so it never changes after a release. */
export const nodeType = (id: string) => `${manifest.id}-${id}`;

/** The type of the configuration node. */
export const accountType = nodeType(settings.id);
