import { needs, skipWithout } from '../support/needs.ts';
import { type BuilderServer, serveBuilder } from '../support/serve-builder.ts';

skipWithout(needs.nodeRed);

export type NodeRedServer = BuilderServer;

/**
 * Starts a fresh Node-RED in a process of its own.
 *
 * @param args of its `serve.ts`, besides `--home`
 * @param env what it finds in the environment besides
 */
export const startNodeRedServer = (
  args: string[],
  env: Record<string, string>,
): Promise<NodeRedServer> => serveBuilder('node-red', args, env);
