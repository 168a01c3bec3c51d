import { mediaResource } from '../../resources.ts';
import type { Application } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** How long a ticket can be used. */
const validity = '1h';

/** What a ticket lets its bearer play. */
export interface Ticket {
  account: string;
  /** The shape of the record whose audio it is. */
  shape: string;
  /** The key of its media. */
  key: string;
}

/** Tickets for audio. They say nothing of a session, and are soon worth nothing. */
export class Tickets {
  readonly #app: Application;

  constructor(app: Application) {
    this.#app = app;
  }

  // The key in the environment can be the public one of NocoBase's examples: NocoBase uses another one then.
  get #tokens() {
    return this.#app.authManager.jwt;
  }

  issue(ticket: Ticket): string {
    // A session has its user at the top, and no ticket: none of them is ever valid as the other.
    return this.#tokens.sign({ [mediaResource]: ticket }, { expiresIn: validity });
  }

  /** What a ticket is for; undefined where it is not one of these, or too old. */
  async read(ticket: unknown): Promise<Ticket | undefined> {
    try {
      const token = await this.#tokens.decode(textOf(ticket));
      return token[mediaResource] as Ticket | undefined;
    } catch {
      return undefined;
    }
  }
}
