import { createHash, randomUUID } from 'node:crypto';
import {
  definitions,
  type EventDefinition,
  type EventId,
  eventDefinition,
  type TelephonyEvent,
  type TellOptions,
  WaitingReply,
} from '../../../../src/index.ts';
import { triggerType } from '../../workflow-types.ts';
import type { Account, Accounts } from '../account/account.ts';
import { isTaken } from '../is-taken.ts';
import type { Application } from '../nocobase.ts';
import type { StoredWorkflow, Workflows } from '../workflow/workflows.ts';

/** One event on its way to one workflow. */
interface Start {
  workflow: StoredWorkflow;
  event: TelephonyEvent;
  /** By which NocoBase knows that it has started with this event. */
  eventKey: string;
  /** What waits for the workflow's reply. */
  replyTo: string | undefined;
}

/** Starts the workflows of NocoBase with events. */
export class EventWorkflows {
  readonly #app: Application;
  readonly #accounts: Accounts;
  readonly #begun = new Map<string, () => void>();

  constructor(app: Application, accounts: Accounts) {
    this.#app = app;
    this.#accounts = accounts;
    app.db.on('executions.afterCreate', (execution) => {
      this.#begun.get(String(execution.get('eventKey')))?.();
    });
  }

  get #plugin(): Workflows {
    const plugin = this.#app.pm.get('workflow') as Workflows | undefined;
    if (plugin) return plugin;
    throw new Error('NocoBase’s workflows are off.');
  }

  /** The workflows that start from an event of an account. */
  async #startingFrom(account: Account, definition: EventDefinition): Promise<StoredWorkflow[]> {
    const type = triggerType(definition);
    const all = [...this.#plugin.enabledCache.values()];
    const waiting = all.filter((workflow) => workflow.type === type && workflow.enabled);
    const isUnclear = waiting.some(({ config }) => !config.account);
    const isOnly = isUnclear && (await this.#accounts.all()).length === 1;
    return waiting.filter(({ title, config }) => {
      if (config.account || isOnly) return config.account === account.key || !config.account;
      const why = 'Choose of which account in its trigger.';
      this.#app.logger.error(`The workflow “${title}” was not started by an event. ${why}`);
      return false;
    });
  }

  /** Resolves when it is in NocoBase's database that a workflow has started: what ends then, NocoBase starts again. */
  async #start({
    workflow,
    event,
    eventKey,
    replyTo,
  }: Start): Promise<{ ended: Promise<unknown> }> {
    const plugin = this.#plugin;
    let ended: Promise<unknown> = Promise.resolve();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#begun.set(eventKey, resolve);
        const onTriggerFail = (
          _workflow: unknown,
          _data: unknown,
          _options: unknown,
          error: Error,
        ) => (isTaken(error) ? resolve() : reject(error));
        const run = plugin.trigger(
          workflow,
          { data: event.record },
          { eventKey, replyTo, onTriggerFail },
        );
        ended = Promise.resolve(run).catch((error) => this.#app.logger.error(String(error)));
      });
    } finally {
      this.#begun.delete(eventKey);
    }
    return { ended };
  }

  /** The ids of the events of an account that start any workflow, and that the service can be asked for. */
  async heardOf(account: Account): Promise<EventId[]> {
    const heard: EventId[] = [];
    for (const event of definitions.events.filter(({ polled }) => polled))
      if ((await this.#startingFrom(account, event)).length > 0) heard.push(event.id as EventId);
    return heard;
  }

  /**
   * Starts all workflows of an event, each once. Resolves to the reply that one of them gives.
   *
   * @param replies whether the service waits for one
   */
  async tell(
    account: Account,
    event: TelephonyEvent,
    { signal, note }: TellOptions,
    replies = true,
  ): Promise<string | undefined> {
    const definition = eventDefinition(event.id);
    const workflows = await this.#startingFrom(account, definition);
    const canReply =
      replies && definition.reply && workflows.some((one) => this.#plugin.isWorkflowSync(one));
    const waiting = canReply ? new WaitingReply(randomUUID(), event.id, signal) : undefined;
    const keyOf = ({ key }: StoredWorkflow) =>
      createHash('sha256')
        .update(JSON.stringify([account.key, note.key, key]))
        .digest('hex');
    try {
      const started = await Promise.all(
        workflows.map((workflow) =>
          this.#start({ workflow, event, eventKey: keyOf(workflow), replyTo: waiting?.id }),
        ),
      );
      const allEnded = Promise.all(started.map(({ ended }) => ended)).then(() => undefined);
      return await Promise.race([allEnded, ...(waiting ? [waiting.text] : [])]);
    } finally {
      waiting?.end();
    }
  }
}
