import { definitions } from '../../../src/builder.ts';

const { manifest, settings } = definitions;

/** The type of a node, by the id of its operation. Flows remember it, so that it never changes after a release. */
export const nodeType = (id: string) => `${manifest.id}-${id}`;

/** The type of the configuration node that holds the settings. */
export const accountType = nodeType(settings.id);
