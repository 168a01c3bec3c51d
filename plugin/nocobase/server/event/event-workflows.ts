import { createHash, randomUUID } from 'node:crypto';
import {
  definitions,
  type EventContext,
  type EventDefinition,
  type EventId,
  eventDefinition,
  type FilledReply,
  type Sentence,
  sentence,
  type TelephonyEvent,
  WaitingReply,
  whenAborted,
  within,
} from '../../../../src/builder.ts';
import { triggerType } from '../../workflow-types.ts';
import type { Account, Accounts } from '../account/account.ts';
import { isTaken } from '../is-taken.ts';
import type { Application, Model, Repository } from '../nocobase.ts';
import type { StoredWorkflow, TriggerOptions, Workflows } from '../workflow/workflows.ts';

/** How long before an event's deadline its workflows must be recorded as started, in milliseconds. */
const margin = 1_000;

const tooBusy = 'NocoBase did not start the workflows in time.';

/**
 * Resolves like `work`. Rejects shortly before the deadline, so that the service learns that the event was not
 * received.
 */
const inTime = <Value>(until: number, work: Promise<Value>): Promise<Value> =>
  within(Math.max(0, until - margin - performance.now()), work, () =>
    Promise.reject(new Error(tooBusy)),
  );

/** One event to start one workflow with. */
interface Start {
  workflow: StoredWorkflow;
  event: TelephonyEvent;
  /** NocoBase deduplicates executions by this key. */
  eventKey: string;
  /** The id of the waiting reply, if the workflow may reply. */
  replyTo?: string;
  /** Resolves when it is the workflow's turn to reply: when the older ones have ended, or one of them has replied. */
  turn?: Promise<unknown>;
}

/** Starts NocoBase's workflows with events. */
export class EventWorkflows {
  readonly #app: Application;
  readonly #accounts: Accounts;
  readonly #started = new Map<string, () => void>();

  constructor(app: Application, accounts: Accounts) {
    this.#app = app;
    this.#accounts = accounts;
    app.db.on('executions.afterCreate', (execution) => {
      this.#started.get(String(execution.get('eventKey')))?.();
    });
  }

  get #plugin(): Workflows {
    const plugin = this.#app.pm.get('workflow') as Workflows | undefined;
    if (plugin?.enabled) return plugin;
    throw new Error('The workflow plugin is disabled.');
  }

  /**
   * Reads the enabled workflows that start from any of these events. It queries the database because NocoBase's memory
   * lacks a workflow for a moment while a new version of it is enabled, and every workflow during shutdown. The oldest
   * come first.
   */
  async #enabledFor(events: readonly EventDefinition[]): Promise<StoredWorkflow[]> {
    // The table doesn't exist if the workflow plugin is off.
    const table = this.#app.db.getRepository('workflows') as Repository | undefined;
    const type = { $in: events.map(triggerType) };
    const enabled = (await table?.find({ filter: { enabled: true, type }, sort: ['id'] })) ?? [];
    return enabled as (Model & StoredWorkflow)[];
  }

  /** The workflows that start from this account's events. */
  async #startingFrom(account: Account, enabled: StoredWorkflow[]): Promise<StoredWorkflow[]> {
    const keys = await Promise.all(enabled.map(({ config }) => this.#accounts.keyOf(config)));
    return enabled.filter((_, index) => keys[index] === account.key);
  }

  /** Rejects with the error of a start, unless the workflow had been started before. If the clock was set back, an id can be taken, too. */
  async #assertStarted(eventKey: string, error: Error): Promise<void> {
    const executions = this.#app.db.getRepository('executions');
    if (isTaken(error) && (await executions.findOne({ filter: { eventKey } }))) return;
    throw error;
  }

  /**
   * Starts a workflow. Resolves when NocoBase's database has stored the execution: one that is still queued at a
   * shutdown runs after the next start.
   *
   * @returns a promise that resolves when the execution ends, if NocoBase waits for it
   */
  async #start({ workflow, event, ...options }: Start): Promise<{ ended: Promise<unknown> }> {
    const plugin = this.#plugin;
    let ended: Promise<unknown> = Promise.resolve();
    const started = new Promise<void>((resolve, reject) => {
      this.#started.set(options.eventKey, resolve);
      const onTriggerFail: TriggerOptions['onTriggerFail'] = (_workflow, _data, _options, error) =>
        void this.#assertStarted(options.eventKey, error).then(resolve, reject);
      const run = plugin.trigger(workflow, { data: event.record }, { ...options, onTriggerFail });
      ended = Promise.resolve(run).catch((error) => this.#app.logger.error(String(error)));
    });
    await started.finally(() => this.#started.delete(options.eventKey));
    return { ended };
  }

  /** The ids of the account's events that start a workflow and that can be polled. */
  async subscribedEvents(account: Account): Promise<EventId[]> {
    const polled = definitions.events.filter((event) => event.polled);
    const starting = await this.#startingFrom(account, await this.#enabledFor(polled));
    const types = new Set(starting.map(({ type }) => type));
    return polled.filter((event) => types.has(triggerType(event))).map(({ id }) => id as EventId);
  }

  /** Returns why events of an account start no workflow, although there are workflows that start from events. */
  async problemOf(account: Account): Promise<Sentence | undefined> {
    const enabled = await this.#enabledFor(definitions.events);
    const starting = await this.#startingFrom(account, enabled);
    if (enabled.length === 0 || starting.length > 0) return undefined;
    const names = enabled.map(({ title }) => `“${title}”`).join(', ');
    return sentence(
      'Events of this account start no workflow: the triggers of {names} are for another account. Choose this account in the trigger.',
      { names },
    );
  }

  /** Starts each workflow of an event once. Resolves to the reply of the oldest that replies. */
  async deliver(
    account: Account,
    event: TelephonyEvent,
    context: EventContext,
  ): Promise<FilledReply | undefined> {
    const { signal, deadline, identity } = context;
    const definition = eventDefinition(event.id);
    const plugin = this.#plugin;
    const enabled = await inTime(deadline, this.#enabledFor([definition]));
    const workflows = await inTime(deadline, this.#startingFrom(account, enabled));
    const canReply = definition.replies && workflows.some((one) => plugin.isWorkflowSync(one));
    const waiting = canReply ? new WaitingReply(randomUUID(), context) : undefined;
    const keyOf = ({ key }: StoredWorkflow) =>
      createHash('sha256')
        .update(JSON.stringify([account.key, identity.key, key]))
        .digest('hex');
    try {
      const starts: Promise<{ ended: Promise<unknown> }>[] = [];
      for (const workflow of workflows) {
        // Otherwise, chance would decide which of several replies is sent.
        const older = Promise.allSettled(starts.map(async (start) => (await start).ended));
        const reply = waiting && {
          replyTo: waiting.id,
          turn: Promise.race([older, waiting.given]),
        };
        starts.push(this.#start({ workflow, event, eventKey: keyOf(workflow), ...reply }));
      }
      const started = await inTime(deadline, Promise.all(starts));
      const allEnded = Promise.all(started.map(({ ended }) => ended)).then(() => undefined);
      // NocoBase finishes executions that have started, however long they take.
      const slow = whenAborted(signal).then(() => undefined);
      return await Promise.race([allEnded, slow, ...(waiting ? [waiting.given] : [])]);
    } finally {
      waiting?.end();
    }
  }
}
