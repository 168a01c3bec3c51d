/** The parts of Node-RED 4 that serving it uses. */
declare module 'node-red' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  /** The settings of Node-RED and its dashboard. */
  export type Settings = Record<string, unknown>;
  export type FlowNode = { id: string; type: string } & Record<string, unknown>;
  export type Handler = (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;

  export interface NodeRed {
    init(server: Server, settings: Settings): void;
    start(): Promise<void>;
    stop(): Promise<void>;
    events: EventEmitter;
    httpAdmin: Handler;
    httpNode: Handler;
    runtime: {
      flows: {
        getFlows(options: object): Promise<{ flows: FlowNode[] }>;
        setFlows(change: {
          flows: { flows: FlowNode[] };
          deploymentType: 'full';
        }): Promise<unknown>;
      };
    };
  }

  const RED: NodeRed;
  export default RED;
}

declare module 'express' {
  import type { RequestListener } from 'node:http';
  import type { Handler } from 'node-red';

  export default function express(): RequestListener & {
    use(path: string, ...handlers: Handler[]): void;
  };
}
