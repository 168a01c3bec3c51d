import { needs, skipWithout } from '../support/needs.ts';
import { type BuilderServer, serveBuilder } from '../support/serve-builder.ts';

skipWithout(needs.nodeRed);

export type NodeRedServer = BuilderServer;

/**
 * Starts a new Node-RED in a child process.
 *
 * @param args arguments of its `serve.ts`, in addition to `--home`
 * @param env further environment variables
 */
export const startNodeRedServer = (
  args: string[],
  env: Record<string, string>,
): Promise<NodeRedServer> => serveBuilder('node-red', args, env);
