import { mediaResource } from '../../resources.ts';
import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** The lifetime of a ticket. */
const validity = '1h';

/** What a ticket allows access to. */
export interface Ticket {
  account: string;
  /** The record shape. */
  shape: string;
  /** The key of the record's media. */
  key: string;
}

/** Issues and reads tickets for media. A ticket reveals nothing about a session and soon expires. */
export class Tickets {
  readonly #app: Application;

  constructor(app: Application) {
    this.#app = app;
  }

  // NocoBase's own secret. The one in the environment can be the public one of NocoBase's examples, which NocoBase
  // replaces.
  get #tokens() {
    return this.#app.authManager.jwt;
  }

  issue(ticket: Ticket): string {
    // A session token has its user at the top level and no ticket, so neither is valid as the other.
    return this.#tokens.sign({ [mediaResource]: ticket }, { expiresIn: validity });
  }

  /** Returns what a ticket gives access to; undefined if it is invalid or expired. */
  async read(ticket: unknown): Promise<Ticket | undefined> {
    try {
      const token = await this.#tokens.decode(textOf(ticket));
      return token[mediaResource] as Ticket | undefined;
    } catch {
      return undefined;
    }
  }
}
