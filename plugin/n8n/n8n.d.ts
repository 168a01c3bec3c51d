/** The parts of n8n that the nodes use. */
declare module 'n8n-workflow' {
  import type { HttpResponse, ServerRequest, ServerResponse } from '../../src/builder.ts';

  export interface Item {
    json: Record<string, unknown>;
    binary?: Record<string, unknown>;
    error?: Error;
    pairedItem?: { item: number };
  }

  export type Node = Record<'id' | 'name' | 'type', string>;

  export type Values = Record<string, unknown>;

  /** What an input offers, or where it shows. n8n has many more keys. */
  export interface Property {
    displayName: string;
    name: string;
    type: string;
    default: unknown;
    [key: string]: unknown;
  }

  /** Sends a request. The options ask for a stream. */
  type HttpRequest = (options: object) => Promise<HttpResponse & { statusCode: number }>;

  /** Nodes have both, and the test of a credential only the older one. */
  export interface HttpHelpers {
    httpRequest?: HttpRequest;
    request: HttpRequest;
  }

  export function sleep(ms: number, signal?: AbortSignal): Promise<void>;

  interface Context {
    helpers: HttpHelpers;
    getNode(): Node;
    getWorkflow(): { id?: string };
    getCredentials(name: string): Promise<Values>;
  }

  export type LoadOptions = Context;

  export interface Execute extends Context {
    getInputData(): Item[];
    getNodeParameter(name: string, item: number, fallback?: unknown, options?: object): unknown;
    getContext(type: 'flow' | 'node'): Values;
    /** The nodes before a node, in any distance. */
    getParentNodes(name: string): Node[];
    /** Responds to the webhook that started the workflow. */
    sendResponse(response: { statusCode: number; headers: object; body: string }): Promise<void>;
    getExecutionId(): string | undefined;
    /** What n8n has stored of an execution; nothing if it has deleted it. */
    getExecutionDataById?(
      id: string,
    ): Promise<{ executionData?: { contextData: Record<string, Values> } } | undefined>;
    /** Calls a function once n8n has stored an execution that has ended, perhaps several times. Earlier versions of n8n never do. */
    onExecutionFinish?(act: () => Promise<void>): void;
    getMode(): string;
    getTimezone(): string;
    getWorkflowDataProxy(item: number): {
      $(node: string): { isExecuted: boolean; first(): Item };
      $execution: { resumeUrl: string };
      DateTime: { fromISO(text: string, options: { zone: string }): { toISO(): string | null } };
    };
    getExecutionCancelSignal(): AbortSignal | undefined;
    continueOnFail(): boolean;
    addExecutionHints?(hint: { message: string; location: 'outputPane' }): void;
    helpers: HttpHelpers & {
      prepareBinaryData(data: Buffer, name: string, type: string | undefined): Promise<object>;
      checkProcessedAndRecord(
        keys: string[],
        scope: 'node',
        options: { mode: 'entries'; maxEntries: number },
      ): Promise<{ new: string[]; processed: string[] }>;
      removeProcessed(keys: string[], scope: 'node', options: { mode: 'entries' }): Promise<void>;
    };
  }

  interface Trigger extends Context {
    getNodeParameter(name: string, fallback?: unknown): unknown;
    getMode(): string;
    getWorkflowStaticData(type: 'node'): Values;
  }

  export type Poll = Trigger;

  export interface ActiveTrigger extends Trigger {
    /** Starts the workflow. */
    emit(items: Item[][]): void;
  }

  export interface Webhook extends Trigger {
    logger: { warn(message: string): void };
    getNodeWebhookUrl(name: string): string | undefined;
    getWebhookResourceUrl?(name: string): string | undefined;
    getRequestObject(): ServerRequest;
    getResponseObject(): ServerResponse;
  }

  export class NodeOperationError extends Error {
    constructor(node: Node, error: Error | string, options?: { itemIndex?: number });
  }
}
