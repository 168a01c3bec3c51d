import { join } from 'node:path';
import {
  Client,
  type ClientCapabilities,
  type ElicitResult,
  InMemoryTransport,
} from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type Caller, openGateway, owner } from '../../plugin/gateway/gateway.ts';
import { createMcpServer } from '../../plugin/gateway/mcp/mcp.ts';
import { readSettings } from '../../plugin/gateway/settings.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The generations of the protocol, and how a client opens each. */
export const eras = { 2025: 'legacy', 2026: { pin: '2026-07-28' } } as const;
export type Era = keyof typeof eras;

/** Answers the questions of a client, of which it keeps the messages. */
export class Person {
  readonly asked: string[] = [];
  constructor(public answer: ElicitResult) {}
}

export const yes: ElicitResult = { action: 'accept', content: { confirmed: true } };

/** The settings of a gateway to a sandbox, as environment variables. */
export const environmentOf = ({ url, hosts, username, password }: Sandbox) => ({
  TELEPHONY_USERNAME: username,
  TELEPHONY_PASSWORD: password,
  TELEPHONY_BASE_URL: url,
  TELEPHONY_CONTENT_URL: hosts.contentUrl,
  TELEPHONY_LOOKUPS_URL: hosts.lookupsUrl,
  TELEPHONY_VERIFY_URL: hosts.verifyUrl,
  TELEPHONY_DATABASE_FILE: join(temporaryFolder('gateway'), 'gateway.sqlite'),
});

/** Creates a client. Without a person it can't ask anyone. */
export function createClient(
  era: Era,
  person?: Person,
  elicitation: ClientCapabilities['elicitation'] = person && { form: {} },
): Client {
  const client = new Client(
    { name: 'test', version: '1' },
    {
      versionNegotiation: { mode: eras[era] },
      ...(elicitation && { capabilities: { elicitation } }),
    },
  );
  if (person)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      person.asked.push(params.message);
      return person.answer;
    });
  return client;
}

/** What a tool has returned. */
export type ToolResult = { isError?: boolean; structuredContent?: Record<string, unknown> };

/** Opens a sandbox, a gateway and a client of its MCP server. */
export async function openMcp(
  era: Era,
  {
    person,
    elicitation,
    settings = {},
    caller = owner,
  }: {
    person?: Person;
    elicitation?: ClientCapabilities['elicitation'];
    settings?: Record<string, string>;
    caller?: Caller;
  } = {},
) {
  const sandbox = await openSandbox();
  const gateway = openGateway(readSettings({ ...environmentOf(sandbox), ...settings }));
  closeAfterwards(gateway);
  const [near, far] = InMemoryTransport.createLinkedPair();
  closeAfterwards(serveStdio(() => createMcpServer(gateway, caller), { transport: far }));
  const client = closeAfterwards(createClient(era, person, elicitation));
  await client.connect(near);
  sandbox.requests.length = 0;
  const before = sandbox.messages.length;
  const call = (name: string, values: object): Promise<ToolResult> =>
    client.callTool({ name, arguments: { ...values } }) as Promise<ToolResult>;
  return {
    ...{ sandbox, gateway, client, call },
    /** The texts of the messages that were sent, the first one first. */
    sent: () =>
      sandbox.messages
        .slice(0, sandbox.messages.length - before)
        .filter(({ direction }) => direction !== 'inbound')
        .map(({ to, body }) => `${to}: ${body}`)
        .reverse(),
    /** The requests that changed something. */
    writes: () => sandbox.requests.filter(({ method }) => method !== 'GET').length,
  };
}
