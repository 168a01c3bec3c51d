import { parseArgs } from 'node:util';
import type { AccountSettings } from './builder.ts';
import { type BuilderId, builders } from './builders.ts';
import { sisterHosts } from './sandbox/account.ts';
import { Advice } from './terminal.mjs';

export interface Options {
  help: false;
  /** Deletes the data of earlier starts. */
  reset: boolean;
  id: BuilderId;
  port: number;
  /** A real account, used instead of the sandbox. */
  account: AccountSettings | undefined;
}

const ids = Object.keys(builders);
const [first = ''] = ids;
const choice = new Intl.ListFormat('en', { type: 'disjunction' }).format(ids);
const isBuilder = (id: string): id is BuilderId => ids.includes(id);

export const usage = `
npm start [-- options]

Starts a visual app builder with the telephony plugin on this machine, and a sandbox of the telephony
service for it to talk to. Nothing is sent and nothing costs money, unless you set your own account
(see below). Ctrl-C ends both.

Options
  --builder <name> ${choice}; ${first} unless given
  --port <number>  where it listens, 3000 unless given
  --reset          delete everything from earlier starts
  --help           show this

Environment
  TELEPHONY_USERNAME, TELEPHONY_PASSWORD
                   your own account (Account SID and Auth Token): talk to the real service
                   instead of the sandbox. Messages cost money.
  TELEPHONY_ACCOUNT_SID
                   the Account SID, when the username is an API key
  TELEPHONY_BASE_URL
                   a regional host or a compatible service
  NO_COLOR         no colours
`.trim();

const seeHelp = '`npm start -- --help` lists the options.';

// npm takes an option before `--` for its own, and passes on only its value.
function refusePositional([argument]: string[]) {
  if (argument === undefined) return;
  throw new Advice(
    isBuilder(argument)
      ? `To start ${builders[argument].name}, run \`npm start -- --builder ${argument}\`.`
      : `Unexpected argument '${argument}'. ${seeHelp}`,
  );
}

function parse(args: string[]) {
  const options = {
    builder: { type: 'string', default: first },
    port: { type: 'string', default: '3000' },
    reset: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const [sentence] = String((error as Error).message).split('. ');
    throw new Advice(`${sentence}. ${seeHelp}`);
  }
}

function readPort(text: string) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65536) return port;
  throw new Advice(`--port takes a number from 1 to 65535, not "${text}".`);
}

function readBuilder(id: string) {
  if (isBuilder(id)) return id;
  throw new Advice(`--builder takes ${choice}, not "${id}".`);
}

function readAccount(env: NodeJS.ProcessEnv): AccountSettings | undefined {
  const username = env.TELEPHONY_USERNAME;
  const password = env.TELEPHONY_PASSWORD;
  if (!username && !password) return undefined;
  if (!username || !password) {
    const missing = username ? 'TELEPHONY_PASSWORD' : 'TELEPHONY_USERNAME';
    throw new Advice(
      `${missing} is not set. Set both TELEPHONY_USERNAME and TELEPHONY_PASSWORD to use your account, or neither to use the sandbox.`,
    );
  }
  // Empty ones, too, so that they override those that were stored for the sandbox.
  const { TELEPHONY_ACCOUNT_SID: accountSid = '', TELEPHONY_BASE_URL: baseUrl = '' } = env;
  return { username, password, accountSid, baseUrl, ...sisterHosts('') };
}

/**
 * Reads the command line and the environment.
 *
 * @throws {Advice} if one of them is invalid
 */
export function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | { help: true } {
  const { values, positionals } = parse(args);
  const { builder, port, reset, help } = values;
  if (help) return { help };
  refusePositional(positionals);
  return {
    ...{ help, reset },
    id: readBuilder(builder),
    port: readPort(port),
    account: readAccount(env),
  };
}
