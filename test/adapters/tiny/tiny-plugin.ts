import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Store } from '../../../src/builder.ts';

/** What Tiny gives a plugin. */
export interface Tiny {
  /** A store that outlives the program. */
  store: Store;
  /** A key that isn't stored next to what it encrypts. */
  key: string;
  /** The public URL. */
  url: string;
  /** The rows of its table. */
  rows: { id: number | string; [column: string]: unknown }[];
  log(text: string): void;
}

/** What someone does in an app: the values of a form. */
export type Form = Record<string, unknown>;

/** What a plugin adds to Tiny. */
export interface TinyPlugin {
  /** What its forms do, by their paths. Each resolves to what the page shows; it shows errors' messages. */
  forms: Record<string, (form: Form) => Promise<unknown>>;
  /** What it serves itself, by path. Only the administrator opens them, unless they are public. */
  routes: Record<string, (request: IncomingMessage, response: ServerResponse) => unknown>;
  publicRoutes: TinyPlugin['routes'];
}
