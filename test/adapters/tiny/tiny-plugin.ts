import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LogStore } from '../../../src/builder.ts';

/** What Tiny provides to a plugin. */
export interface Tiny {
  /** A store that outlives the program. */
  store: LogStore;
  /** A key that isn't stored next to the secrets that it encrypts. */
  key: string;
  /** The public URL. */
  url: string;
  /** The rows of its table. */
  rows: { id: number | string; [column: string]: unknown }[];
  log(text: string): void;
}

/** The values of a form that a user submits. */
export type Form = Record<string, unknown>;

/** What a plugin adds to Tiny. */
export interface TinyPlugin {
  /** The forms, by path. Each resolves to what the page then shows; errors show their message. */
  forms: Record<string, (form: Form) => Promise<unknown>>;
  /** The routes, by path. Only the administrator can open them, unless they are public. */
  routes: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>;
  publicRoutes: TinyPlugin['routes'];
}
