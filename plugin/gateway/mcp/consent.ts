import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import {
  type Field,
  inEnglish,
  isAction,
  isSmsText,
  type Operation,
  questionOf,
  type Store,
  smsSegments,
  storeHash,
  TelephonyError,
} from '../../../src/builder.ts';
import { variableOf } from '../settings.ts';
import { resultOf } from './results.ts';
import { extraArguments } from './tools.ts';

type Values = Record<string, string | number>;

/** How long the person's answer and the token of a preview count, in milliseconds. */
export const consentLimits = { answerMs: 600_000, tokenMs: 60_000 };

const kind = 'mcp consents';
const responseKey = 'person';
const confirmed = 'confirmed';

/** How someone consents to an operation: the client asks, a second call has the token of a preview, or no one is asked. */
export type Way = 'question' | 'preview' | 'none';

/** Creates and redeems tokens. Each counts once, for a short time, for exactly what it was created for. */
export const tokens = (store: Store) => ({
  async create(way: Way, of: string): Promise<string> {
    const token = randomUUID();
    await store.insert(kind, { key: storeHash(token), value: storeHash(way, of) });
    return token;
  },
  async redeem(way: Way, of: string, token: unknown): Promise<boolean> {
    if (typeof token !== 'string') return false;
    const entry = await store.get(kind, storeHash(token));
    const ms = way === 'question' ? consentLimits.answerMs : consentLimits.tokenMs;
    if (entry?.value !== storeHash(way, of) || Date.now() - entry.at > ms) return false;
    return store.swap(kind, entry, 'redeemed');
  },
  expire: () => store.expire(kind, Date.now() - consentLimits.answerMs),
});

/** Replaces characters that hide or reorder others, or begin a new line, so that a value can't pretend to be part of the question. */
const visible = (text: string) => text.replaceAll(/(?!\u200d)[\p{C}\p{Zl}\p{Zp}]/gu, '�');

function shown({ label, multiline }: Field, value: string | number): string {
  if (!multiline) return `${label}: ${visible(String(value))}`;
  const lines = String(value).split(/\r\n|[\n\r]/);
  return [`${label}:`, ...lines.map((line) => `| ${visible(line)}`)].join('\n');
}

/** Asks a person whether to run an operation, with everything that it would send. */
export function questionText(operation: Operation, values: Values): string {
  const asks = isAction(operation) ? questionOf(operation, values) : undefined;
  const lines = operation.fields.flatMap((field) => {
    const { [field.key]: value } = values;
    if (value === undefined) return [];
    const { segments, alphabet } = smsSegments(String(value));
    const count = isSmsText(field) && isAction(operation) && operation.counts === 'message';
    return [shown(field, value), ...(count ? [`Billed as ${segments} SMS (${alphabet}).`] : [])];
  });
  const cost = 'paid' in operation && operation.paid ? ['The service charges for this.'] : [];
  return [asks ? inEnglish(asks) : `${operation.name}?`, ...lines, ...cost].join('\n');
}

/** Whether the client can show a form to the person. */
export function canAsk(server: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const capabilities: ClientCapabilities | undefined = envelope
    ? Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY)
    : server.server.getClientCapabilities();
  const { elicitation } = capabilities ?? {};
  // Clients that name no mode have forms.
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

/** Returns the question for the client, which asks the person and calls again with the answer. */
export async function askPerson(
  store: Store,
  operation: Operation,
  values: Values,
  of: string,
): Promise<InputRequiredResult> {
  const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
    type: 'object',
    properties: { [confirmed]: { type: 'boolean', title: operation.name } },
    required: [confirmed],
  };
  const message = questionText(operation, values);
  return inputRequired({
    inputRequests: { [responseKey]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: await tokens(store).create('question', of),
  });
}

/**
 * Reads the person's answer to a question that this server has asked about exactly these values.
 *
 * @returns undefined if there is none
 */
export async function answerOf(
  store: Store,
  { mcpReq: { inputResponses, requestState } }: ServerContext,
  of: string,
): Promise<'yes' | 'no' | 'dismissed' | undefined> {
  const answer = inputResponse(inputResponses, responseKey);
  if (answer.kind !== 'elicit') return undefined;
  if (!(await tokens(store).redeem('question', of, requestState()))) return undefined;
  if (answer.action === 'cancel') return 'dismissed';
  return answer.action === 'accept' && answer.content?.[confirmed] === true ? 'yes' : 'no';
}

/** Returns a preview for a person whose client can't ask, and the token for the second call. */
export async function previewOf(
  store: Store,
  operation: Operation,
  values: Values,
  of: string,
): Promise<CallToolResult> {
  return resultOf({
    status: 'preview',
    message: `Nothing has happened yet. Show this to the person. Only if they agree, call again with the same arguments and the ${extraArguments.token}.`,
    question: questionText(operation, values),
    [extraArguments.token]: await tokens(store).create('preview', of),
    expiresInSeconds: consentLimits.tokenMs / 1000,
  });
}

/** The error of a client that can't ask. */
export const cannotAsk = ({ id }: Operation): TelephonyError =>
  new TelephonyError(
    'settings',
    `Nothing was sent: this client can't ask the person. Use a client that supports elicitation. Otherwise, whoever runs the gateway can add "${id}" to ${variableOf('mcpTwoCalls')} (preview first) or ${variableOf('mcpUnasked')} (no question).`,
    { field: 'mcpTwoCalls' },
  );

/** The error of a token that doesn't count. */
export const invalidToken = (): TelephonyError =>
  new TelephonyError(
    'input',
    `Nothing was sent: the ${extraArguments.token} isn't valid. It counts once, within a minute, for exactly the values of its preview. Call without it for a new preview.`,
    { field: extraArguments.token },
  );
