import { parseArgs } from 'node:util';
import { definitions, pickLimits, TelephonyError } from '../../src/builder.ts';
import { type Gateway, openGateway, owner } from './gateway.ts';
import { createServer } from './http/server.ts';
import { type ApiKey, addKey, all, listKeys, type Rights, revokeKey, type Some } from './keys.ts';
import { serveMcp } from './mcp/mcp.ts';
import { readSettings, settingsHelp, withSwitches } from './settings.ts';
import { Subscriptions } from './subscriptions.ts';

type Subcommand = (args: string[], env: NodeJS.ProcessEnv) => Promise<void>;

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** Ends with the first signal, once what is in flight has finished; at once with the second. */
function endOnSignals(end: () => Promise<void>) {
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (isEnding) process.exit(1);
      isEnding = true;
      end().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
}

async function serve(_args: string[], env: NodeJS.ProcessEnv) {
  const gateway = openGateway(readSettings(env));
  const { host, port } = gateway.settings;
  const server = await createServer(gateway, { log: process.stdout });
  await server.listen({ host, port });
  endOnSignals(async () => {
    await server.close();
    await gateway.close();
  });
}

function someOf(text: string): Some {
  const named = text.split(',').map((one) => one.trim());
  if (named.includes('')) throw new TelephonyError('input', `A name in "${text}" is empty.`);
  if (named.length > 1 && named.includes(all))
    throw new TelephonyError('input', `"${text}" names some, and all. Choose one of them.`);
  return named[0] === all ? all : named;
}

const rightOptions = {
  read: { type: 'string' },
  act: { type: 'string' },
  senders: { type: 'string' },
  events: { type: 'string' },
  reply: { type: 'string' },
  subscribe: { type: 'boolean' },
  instructions: { type: 'boolean' },
  limit: { type: 'string', multiple: true },
} as const;

/** Reads the rights of a new key. What isn't named is not allowed. */
function readRights(args: string[]): { name: string; rights: Rights } {
  const { values, positionals } = parseArgs({
    args,
    options: rightOptions,
    allowPositionals: true,
  });
  const [name, ...others] = positionals;
  const { read = '', act = '', senders, events = '', reply = '', limit = [] } = values;
  const { subscribe = false, instructions = false } = values;
  if (!name || others.length > 0 || (!read && !act && !events))
    throw new TelephonyError('input', `Name the key, and what it may do.\n\n${keysUsage}`);
  if (act && !senders)
    throw new TelephonyError(
      'input',
      'A key for actions needs --senders: the numbers that it may send from, or all.',
    );
  if ((subscribe || reply) && !events)
    throw new TelephonyError('input', '--subscribe and --reply need --events: name them, or all.');
  const keys = limit.map((text) => text.split('=')[0]);
  const twice = keys.find((key, index) => keys.indexOf(key) < index);
  if (twice !== undefined)
    throw new TelephonyError('input', `The limit "${twice}" is given twice. Give it once.`);
  const limits = Object.fromEntries(
    limit.map((text) => {
      const [key = '', ...value] = text.split('=');
      const isKnown = definitions.settings.limits.some((one) => one.key === key);
      if (isKnown && value.join('').trim() !== '') return [key, value.join('=')];
      const known = definitions.settings.limits.map((one) => `${one.key}=…`).join(', ');
      throw new TelephonyError(
        'input',
        isKnown
          ? `The limit "${key}" has no value.`
          : `Unknown limit "${text}". Choose from: ${known}.`,
      );
    }),
  );
  const some = (text: string) => (text === '' ? [] : someOf(text));
  return {
    name,
    rights: {
      ...{ read: some(read), act: some(act), senders: some(senders ?? ''), events: some(events) },
      ...{ reply: some(reply), subscribe, instructions },
      limits: pickLimits(withSwitches(limits)),
    },
  };
}

const keysUsage = `telephony-gateway keys add <name> [--read <ids>|all] [--act <ids>|all --senders <numbers>|all]
                            [--instructions] [--events <ids>|all [--subscribe] [--reply <ids>|all]]
                            [--limit perHour=10 …]
telephony-gateway keys list
telephony-gateway keys revoke <id>`;

const shown = (some: Some) => (some === all ? all : some.join(', ') || 'none');

/** Lets a command use a gateway, and closes it. */
async function using(env: NodeJS.ProcessEnv, use: (gateway: Gateway) => Promise<void>) {
  const gateway = openGateway(readSettings(env));
  try {
    await use(gateway);
  } finally {
    await gateway.close();
  }
}

const setStopped =
  (isStopped: boolean): Subcommand =>
  (_args, env) =>
    using(env, async (gateway) => {
      await gateway.setStopped(isStopped);
      say(isStopped ? 'Stopped: nothing is sent.' : 'Sending goes on.');
    });

const test: Subcommand = (_args, env) =>
  using(env, async (gateway) => {
    const { outcome, message } = await gateway.telephonyOf(owner).test();
    say(message);
    if (outcome !== 'works') process.exitCode = 1;
  });

/** Describes a key for its owner. */
const describe = ({ id, name, rights, createdAt, revokedAt }: ApiKey) => {
  const { read, act, senders, events, reply = [], subscribe, instructions, limits } = rights;
  const some = Object.entries({ read, act, senders, events, reply });
  return [
    `${id}  ${name}  created ${createdAt}${revokedAt ? `, revoked ${revokedAt}` : ''}`,
    ...some.map(([right, ids]) => `  ${right}: ${shown(ids)}`),
    ...(subscribe ? ['  subscribe'] : []),
    ...(instructions ? ['  instructions'] : []),
    `  limits: ${JSON.stringify(limits)}`,
  ].join('\n');
};

const keys: Subcommand = ([verb, ...args], env) =>
  using(env, async (gateway) => {
    const { store } = gateway;
    if (verb === 'add') {
      const { name, rights } = readRights(args);
      // Refuses limits that can't be read.
      gateway.telephonyOf({ id: 'new', name, rights });
      const { text } = await addKey(store, name, rights);
      say(text);
      process.stderr.write('Keep this key: it is shown only now, and stored only as a hash.\n');
    } else if (verb === 'list' && args.length === 0)
      for (const key of await listKeys(store)) say(describe(key));
    else if (verb === 'revoke' && args.length === 1) {
      await revokeKey(store, args[0] ?? '');
      say('Revoked.');
    } else throw new TelephonyError('input', keysUsage);
  });

const subscriptionsUsage = `telephony-gateway subscriptions add <url> --events <ids>|all [--replies]
telephony-gateway subscriptions list
telephony-gateway subscriptions resume <id>
telephony-gateway subscriptions remove <id>`;

const subscriptions: Subcommand = ([verb, ...args], env) =>
  using(env, async (gateway) => {
    const { values, positionals } = parseArgs({
      args,
      options: { events: { type: 'string' }, replies: { type: 'boolean' } },
      allowPositionals: true,
    });
    const all = new Subscriptions(gateway);
    const [one = '', ...others] = positionals;
    const { events = '', replies = false } = values;
    if (verb === 'list' && one === '') {
      for (const each of await all.of(owner)) say(JSON.stringify(await all.show(each), null, 2));
      return;
    }
    if (one === '' || others.length > 0) throw new TelephonyError('input', subscriptionsUsage);
    if (verb === 'add' && events !== '') {
      const { subscription, secret } = await all.add(owner, {
        ...{ url: one, events: someOf(events), replies },
      });
      say(`${subscription.id}\n${secret}`);
      process.stderr.write('Keep this secret: it is shown only now. It signs the events.\n');
    } else if (verb === 'resume') {
      await all.resume(owner, one);
      say('Resumed.');
    } else if (verb === 'remove') {
      await all.remove(owner, one);
      say('Removed.');
    } else throw new TelephonyError('input', subscriptionsUsage);
  });

const subcommands: Record<string, Subcommand> = {
  serve,
  keys,
  subscriptions,
  test,
  stop: setStopped(true),
  resume: setStopped(false),
  mcp: async (_args, env) => serveMcp(openGateway(readSettings(env))),
};

const usage = `
telephony-gateway serve     HTTP, and MCP at /mcp
telephony-gateway mcp       MCP over standard input and output
telephony-gateway test      Tests the connection to the service
telephony-gateway stop      Refuses every message and call at once, in all processes
telephony-gateway resume    Ends that
${keysUsage}
${subscriptionsUsage}

Settings are environment variables:

${settingsHelp()}
`.trim();

/** Runs the command line. */
export async function main(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const [name = '', ...others] = args;
  const subcommand = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (!subcommand) {
    process.stderr.write(`${usage}\n`);
    process.exitCode = ['', '--help'].includes(name) ? 0 : 2;
    return;
  }
  // A reader that has seen enough, such as head, closes the pipe.
  process.stdout.on('error', () => process.exit());
  try {
    await subcommand(others, env);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
