import type { IncomingMessage, ServerResponse } from 'node:http';

/** The parts of Node-RED that the nodes use. */
export interface NodeRed {
  _(key: string, values: object): string;
  nodes: {
    createNode(node: FlowNode, config: FlowConfig): void;
    getNode(id: string): FlowNode | null;
    eachNode(callback: (config: FlowConfig) => void): void;
    getCredentials(id: string): Record<string, unknown> | undefined;
    addCredentials(id: string, credentials: Record<string, unknown>): void;
    registerType(
      type: string,
      construct: (this: FlowNode, config: FlowConfig) => void,
      options?: { credentials: Record<string, { type: 'text' | 'password' }> },
    ): void;
  };
  util: {
    cloneMessage(message: Message): Message;
    setMessageProperty(message: Message, property: string, value: unknown): boolean;
    getSetting(node: FlowNode | null, name: string): unknown;
    evaluateNodeProperty(
      value: string,
      type: string,
      node: FlowNode,
      message: Message,
      callback: (error: Error | null, value?: unknown) => void,
    ): void;
    generateId(): string;
  };
  log: { warn(text: string): void };
  events: { on(event: FlowsEvent, listener: () => void): void };
  settings: {
    userDir?: string;
    httpNodeRoot?: string | false;
    httpNodeMiddleware?: Handler | Handler[];
    nodeCloseTimeout?: number;
  };
  auth: { needsPermission(permission: string): Handler };
  httpAdmin: Router;
  httpNode: Router;
}

/** Node-RED is about to close nodes, or has created all of them. */
type FlowsEvent = 'flows:stopping' | 'flows:started';

export interface Message {
  _msgid?: string;
  payload?: unknown;
  parts?: object;
  stop?: unknown;
  reset?: unknown;
  event?: unknown;
  start?: unknown;
  skipChanged?: unknown;
  skipSent?: unknown;
  show?: unknown;
  delete?: unknown;
  batch?: unknown;
  hint?: unknown;
}

/** A node's properties as the editor stored them. */
export type FlowConfig = { id: string; type: string } & Record<string, unknown>;

export interface Status {
  fill?: 'red' | 'yellow' | 'green' | 'blue';
  shape?: 'ring' | 'dot';
  text?: string;
}

export type Send = (message: Message | (Message | null)[]) => void;
export type Done = (error?: Error) => void;

export interface FlowNode {
  id: string;
  /** Within a subflow, the node's id in the editor. */
  _alias?: string;
  /** The ids of the next nodes, by output. */
  wires: string[][];
  credentials?: Record<string, unknown>;
  on(
    event: 'input',
    listener: (this: FlowNode, message: Message, send: Send, done: Done) => void,
  ): void;
  on(event: 'close', listener: (removed: boolean, done: () => void) => void): void;
  send: Send;
  warn(text: string): void;
  error(error: Error | undefined, message: Message): void;
  status(status: Status): void;
}

/** The node's id in the editor. */
export const editorId = ({ id, _alias }: FlowNode): string => _alias ?? id;

export type Request = IncomingMessage & { params: Record<string, string>; body: object };
export type Response = ServerResponse & { json(body: object): void };
export type Handler = (request: Request, response: Response, next: () => void) => void;

interface Router {
  get(path: string, ...handlers: Handler[]): void;
  post(path: string, ...handlers: Handler[]): void;
  all(path: string, ...handlers: Handler[]): void;
}
