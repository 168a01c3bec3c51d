import { openGateway } from './gateway.ts';
import { createServer } from './http/server.ts';
import { serveMcp } from './mcp/mcp.ts';
import { readSettings, settingsHelp } from './settings.ts';

type Subcommand = (args: string[], env: NodeJS.ProcessEnv) => Promise<void>;

async function serve(_args: string[], env: NodeJS.ProcessEnv) {
  const gateway = openGateway(readSettings(env));
  const { host, port } = gateway.settings;
  const url = await createServer(gateway).listen({ host, port });
  process.stdout.write(`${url}\n`);
}

const subcommands: Record<string, Subcommand> = {
  serve,
  mcp: async (_args, env) => serveMcp(openGateway(readSettings(env))),
};

const usage = `
telephony-gateway <command>

  serve                 HTTP, and MCP at /mcp
  mcp                   MCP over standard input and output
  keys add|list|revoke  API keys and their rights

Settings are environment variables:

${settingsHelp()}
`.trim();

/** Runs the command line. */
export async function main(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [name = '', ...others] = args;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand) {
    process.stderr.write(`${usage}\n`);
    process.exitCode = name === '' || name === '--help' ? 0 : 2;
    return;
  }
  try {
    await subcommand(others, env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
