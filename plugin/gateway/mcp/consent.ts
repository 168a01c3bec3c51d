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
  isBlank,
  isSmsText,
  type Operation,
  questionOf,
  type Store,
  smsSegments,
  storeHash,
  storeProblem,
  TelephonyError,
} from '../../../src/builder.ts';
import type { Caller, Gateway } from '../gateway.ts';
import { variableOf } from '../settings.ts';
import { resultOf } from './results.ts';
import { extraArguments } from './tools.ts';

type Values = Record<string, string | number>;

/** How long a person's question stays open, their refusal holds, and the token of a preview counts, in milliseconds. */
export const consentLimits = { answerMs: 600_000, tokenMs: 60_000 };

const kind = 'mcp consents';
const responseKey = 'person';
const confirmed = 'confirmed';

/** How someone consents: the client asks the person, or a second call has the token of a preview. */
type Way = 'question' | 'preview';

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
  /** Keeps an answer, so that a model that repeats its call doesn't make the client ask again. */
  async decline(of: string): Promise<void> {
    const key = storeHash('declined', of);
    const entry = await store.get(kind, key);
    await (entry ? store.swap(kind, entry, true) : store.insert(kind, { key, value: true }));
  },
  async isDeclined(of: string): Promise<boolean> {
    const entry = await store.get(kind, storeHash('declined', of));
    return entry !== undefined && Date.now() - entry.at <= consentLimits.answerMs;
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
function canAsk(server: McpServer, { mcpReq: { envelope } }: ServerContext): boolean {
  const capabilities: ClientCapabilities | undefined = envelope
    ? Reflect.get(envelope, CLIENT_CAPABILITIES_META_KEY)
    : server.server.getClientCapabilities();
  const { elicitation } = capabilities ?? {};
  // Clients that name no mode have forms.
  return elicitation !== undefined && (elicitation.form !== undefined || !elicitation.url);
}

/** No one has consented. It has no fields, because those would be stored. */
class NoConsent extends TelephonyError {
  constructor() {
    super('aborted', 'Nothing was sent: no one has agreed to it.');
  }
}

/** What a call is, and who can be asked about it. */
export interface ConsentContext {
  gateway: Gateway;
  caller: Caller;
  operation: Operation;
  server: McpServer;
  context: ServerContext;
}

/** The consent of a person to one call. No argument that a model can choose replaces it. */
export class Consent {
  readonly #store: Store;
  /** What to return instead of a result. */
  #offer: (() => Promise<CallToolResult | InputRequiredResult>) | undefined;

  /**
   * @param key the call's idempotency key; empty if it has none
   * @param token the token of a preview, if the call has one
   */
  constructor(
    private readonly call: ConsentContext,
    private readonly key: string,
    private readonly token: unknown,
  ) {
    this.#store = call.gateway.store;
  }

  /**
   * Resolves if the operation may run with these values.
   *
   * @throws {TelephonyError} if not
   */
  async assert(values: Values): Promise<void> {
    const { gateway, caller, operation, server, context } = this.call;
    const { mcpTwoCalls, mcpUnasked } = gateway.settings;
    const { account } = gateway.telephonyOf(caller);
    if (mcpUnasked.includes(operation.id)) return;
    const of = storeHash(account, caller.id, operation.id, this.key, JSON.stringify(values));
    const isConfirmed = canAsk(server, context)
      ? this.#isAnswered(values, of)
      : mcpTwoCalls.includes(operation.id)
        ? this.#isPreviewed(values, of)
        : Promise.reject(cannotAsk(operation));
    if (!(await isConfirmed.catch(storeProblem))) throw new NoConsent();
  }

  /** Returns the result of a call that failed: the question or the preview if it had no consent yet. */
  async resultOf(error: unknown): Promise<CallToolResult | InputRequiredResult> {
    if (error instanceof NoConsent && this.#offer) return this.#offer().catch(storeProblem);
    throw error;
  }

  /** Whether the person has agreed to exactly these values, in answer to a question of this server. */
  async #isAnswered(values: Values, of: string): Promise<boolean> {
    const { inputResponses, requestState } = this.call.context.mcpReq;
    const { redeem, decline, isDeclined } = tokens(this.#store);
    const answer = inputResponse(inputResponses, responseKey);
    const isOurs = answer.kind === 'elicit' && (await redeem('question', of, requestState()));
    if (isOurs && answer.action === 'accept' && answer.content?.[confirmed] === true) return true;
    if (isOurs && answer.action === 'cancel') this.#offer = async () => dismissed;
    else if (isOurs || (await isDeclined(of))) {
      if (isOurs) await decline(of);
      this.#offer = async () => declined;
    } else this.#offer = () => this.#ask(values, of);
    return false;
  }

  /** Asks the person through the client, which calls again with the answer. */
  async #ask(values: Values, of: string): Promise<InputRequiredResult> {
    const { operation } = this.call;
    const requestedSchema: ElicitRequestFormParams['requestedSchema'] = {
      type: 'object',
      properties: { [confirmed]: { type: 'boolean', title: operation.name } },
      required: [confirmed],
    };
    const message = questionText(operation, values);
    return inputRequired({
      inputRequests: { [responseKey]: inputRequired.elicit({ message, requestedSchema }) },
      requestState: await tokens(this.#store).create('question', of),
    });
  }

  /** Whether the call has the token of a preview of exactly these values. */
  async #isPreviewed(values: Values, of: string): Promise<boolean> {
    if (!isBlank(this.token)) {
      if (await tokens(this.#store).redeem('preview', of, this.token)) return true;
      throw new TelephonyError(
        'input',
        `Nothing was sent: the ${extraArguments.token} isn't valid. It counts once, within a minute, for exactly the values of its preview. Call without it for a new preview.`,
        { field: extraArguments.token },
      );
    }
    this.#offer = async () =>
      resultOf({
        status: 'preview',
        message: `Nothing has happened yet. Show this to the person. Only if they agree, call again with the same arguments and the ${extraArguments.token}.`,
        question: questionText(this.call.operation, values),
        [extraArguments.token]: await tokens(this.#store).create('preview', of),
        expiresInSeconds: consentLimits.tokenMs / 1000,
      });
    return false;
  }
}

const declined = resultOf({
  status: 'declined',
  message: 'The person declined. Nothing was sent. Ask them what to change.',
});
const dismissed = resultOf({
  status: 'dismissed',
  message: 'The person closed the question. Nothing was sent.',
});

/** The error of a client that can't ask. */
const cannotAsk = ({ id }: Operation): TelephonyError =>
  new TelephonyError(
    'settings',
    `Nothing was sent: this client can't ask the person. Use a client that supports elicitation. Otherwise, the person who runs the gateway can add "${id}" to ${variableOf('mcpTwoCalls')} (preview first) or ${variableOf('mcpUnasked')} (no question).`,
    { field: 'mcpTwoCalls' },
  );
