import { type EventId, pollEvents, wereAskedFor } from '../../../../src/index.ts';
import { accountsResource } from '../../resources.ts';
import type { Account, Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { deliveryLogOf } from './delivery-logs.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { logEvents } from './log-events.ts';

const minute = 60_000;

/** How long after a change of an account or a workflow it counts, in milliseconds: it is stored when its transaction ends. */
const settled = 3_000;

/** How long at most no account is looked at, in milliseconds: what changes the tables by itself reports nothing. */
const longestSleep = minute;

/** How long at least, in milliseconds: another process can have an account's turn that is due. */
const shortestSleep = 1_000;

/** What the row of an account says of when the service was asked. */
interface Asked {
  /** In milliseconds, as a text, since it is a large number. */
  askedAt: string | null;
  /** Why it did not answer the last time. */
  askProblem: string | null;
  /** How far its lists were read. */
  askedSoFar: string | null;
}

/** When one process asks: until that changes, it is its turn. */
type Turn = Pick<Asked, 'askedAt'>;

/** Nobody asks: whoever does so again begins then. */
export const notAsked: Asked = { askedAt: null, askProblem: null, askedSoFar: null };

/** What is known of when the service was asked for the events of an account. */
export async function askedOf(app: Application, account: string): Promise<Asked> {
  const row = await app.db.getRepository(accountsResource).findOne({ filterByTk: account });
  const { askedAt = null, askProblem = null, askedSoFar = null } = Object(row?.toJSON());
  return { askedAt, askProblem, askedSoFar };
}

/** Whether a workflow starts from what the account was not asked for yet. */
function isNew(account: Account, soFar: string | null, events: EventId[]): boolean {
  try {
    return !wereAskedFor(account.telephony().account, soFar, events);
  } catch {
    // What is wrong with the settings is said when it is time.
    return false;
  }
}

/** Asks the service for events, for the accounts that want it, as long as NocoBase runs. */
export class Poller {
  readonly #app: Application;
  readonly #accounts: Accounts;
  readonly #workflows: EventWorkflows;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #wakeAt = Infinity;
  #underWay: Promise<unknown> = Promise.resolve();

  constructor(app: Application, accounts: Accounts, workflows: EventWorkflows) {
    this.#app = app;
    this.#accounts = accounts;
    this.#workflows = workflows;
  }

  start(): void {
    const { db } = this.#app;
    for (const table of [accountsResource, 'workflows'])
      for (const change of ['afterSave', 'afterDestroy'])
        db.on(`${table}.${change}`, () => this.#wakeIn(settled));
    this.#wakeIn(settled);
  }

  /** Looks in so many milliseconds which accounts are due, unless that is earlier anyway. */
  #wakeIn(milliseconds: number): void {
    const at = Date.now() + milliseconds;
    if (this.#stop.signal.aborted || at >= this.#wakeAt) return;
    this.#wakeAt = at;
    if (this.#isLooking) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#wake(), milliseconds);
  }

  async #wake(): Promise<void> {
    this.#wakeAt = Infinity;
    this.#isLooking = true;
    const looked = this.#askAll().catch((error) => {
      this.#app.logger.error(String(error));
      return settled;
    });
    this.#underWay = looked;
    const next = Math.min(await looked, Math.max(0, this.#wakeAt - Date.now()));
    this.#isLooking = false;
    this.#wakeAt = Infinity;
    this.#wakeIn(next);
  }

  /** Resolves when nobody is asked any more. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#underWay;
  }

  /** Resolves to in how many milliseconds one is due again. */
  async #askAll(): Promise<number> {
    let next = longestSleep;
    const wanting = (await this.#accounts.all()).filter(({ askMinutes }) => askMinutes > 0);
    for (const account of wanting) {
      const events = await this.#workflows.heardOf(account);
      if (this.#stop.signal.aborted) return longestSleep;
      if (events.length === 0) await this.#forget(account);
      else next = Math.min(next, await this.#askIfDue(account, events));
    }
    return next;
  }

  /** Resolves to in how many milliseconds the account is due again. */
  async #askIfDue(account: Account, events: EventId[]): Promise<number> {
    const turn = await this.#takeTurn(account, events);
    if (turn) await this.#ask(account, events, turn);
    const { askedAt } = turn ?? (await askedOf(this.#app, account.key));
    const left = Number(askedAt) + account.askMinutes * minute - Date.now();
    return Math.max(left, shortestSleep);
  }

  /** No workflow waits for events: what comes meanwhile is not told to one that is switched on later. */
  async #forget(account: Account): Promise<void> {
    const { askedAt } = await askedOf(this.#app, account.key);
    if (askedAt !== null) await this.#change(account, notAsked);
  }

  async #change(account: Account, values: Partial<Asked>, where: Partial<Asked> = {}) {
    const { model } = this.#app.db.getCollection(accountsResource);
    const [changed] = await model.update(values, { where: { ...where, key: account.key } });
    return changed > 0;
  }

  /** Of several processes one asks, and none before it is time: undefined for the others. */
  async #takeTurn(account: Account, events: EventId[]): Promise<Turn | undefined> {
    const { askedAt, askedSoFar } = await askedOf(this.#app, account.key);
    const now = Date.now();
    const since = now - Number(askedAt);
    // Where the clock was put back, it was asked later than now.
    const isEarly = since >= 0 && since < account.askMinutes * minute;
    if (isEarly && !isNew(account, askedSoFar, events)) return undefined;
    const turn = { askedAt: String(now) };
    return (await this.#change(account, turn, { askedAt })) ? turn : undefined;
  }

  async #ask(account: Account, events: EventId[], turn: Turn): Promise<void> {
    const { signal } = this.#stop;
    const before = await askedOf(this.#app, account.key);
    try {
      const poll = pollEvents(account.telephony(), {
        events,
        memory: deliveryLogOf(this.#app, account.key),
        soFar: {
          read: () => before.askedSoFar,
          // Where asking was switched off meanwhile, or another process asks, it stays as that one left it.
          write: async (askedSoFar) => void (await this.#change(account, { askedSoFar }, turn)),
        },
        tell: (event, options) => this.#workflows.tell(account, event, options, false),
        report: logEvents(this.#app),
      });
      await poll({ signal });
      await this.#change(account, { askProblem: null }, turn);
    } catch (error) {
      const { message } = error as Error;
      if (signal.aborted) return;
      // Once, until it answers again: the log is not to be filled.
      if (before.askProblem !== message)
        this.#app.logger.error(`Polling “${account.label}” failed: ${message}`);
      await this.#change(account, { askProblem: message }, turn);
    }
  }
}
