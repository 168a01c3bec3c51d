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
import type { StoredWorkflow, TriggerOptions, Workflows } from '../workflow/workflows.ts';

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
  #isStopped = false;

  constructor(app: Application, accounts: Accounts) {
    this.#app = app;
    this.#accounts = accounts;
    app.db.on('executions.afterCreate', (execution) => {
      this.#begun.get(String(execution.get('eventKey')))?.();
    });
  }

  /** NocoBase is about to end: it knows no workflows from then on, and what none would start from would count as told. */
  stop(): void {
    this.#isStopped = true;
  }

  get #plugin(): Workflows {
    if (this.#isStopped) throw new Error('NocoBase’s workflows were stopped.');
    const plugin = this.#app.pm.get('workflow') as Workflows | undefined;
    if (plugin) return plugin;
    throw new Error('NocoBase’s workflows are off.');
  }

  #enabledFor(definition: EventDefinition): StoredWorkflow[] {
    const type = triggerType(definition);
    const all = [...this.#plugin.enabledCache.values()];
    return all.filter((workflow) => workflow.type === type && workflow.enabled);
  }

  /** The workflows that start from an event of an account. Those that name no account are the only one's. */
  async #startingFrom(account: Account, definition: EventDefinition): Promise<StoredWorkflow[]> {
    const enabled = this.#enabledFor(definition);
    const isUnclear = enabled.some(({ config }) => !config.account);
    const isOnly = isUnclear && (await this.#accounts.all()).length === 1;
    return enabled.filter(({ config }) =>
      config.account ? config.account === account.key : isOnly,
    );
  }

  #reportUnclear(definition: EventDefinition, starting: StoredWorkflow[]) {
    for (const workflow of this.#enabledFor(definition))
      if (!workflow.config.account && !starting.includes(workflow))
        this.#app.logger.error(
          `The workflow “${workflow.title}” was not started by an event. Choose of which account in its trigger.`,
        );
  }

  /**
   * Resolves when it is in NocoBase's database that a workflow has started: what does not come to its end then, NocoBase
   * starts again.
   *
   * @returns what resolves when it has ended, if that is awaited
   */
  async #start({ workflow, event, ...options }: Start): Promise<{ ended: Promise<unknown> }> {
    const plugin = this.#plugin;
    let ended: Promise<unknown> = Promise.resolve();
    const begun = new Promise<void>((resolve, reject) => {
      this.#begun.set(options.eventKey, resolve);
      const onTriggerFail: TriggerOptions['onTriggerFail'] = (_workflow, _data, _options, error) =>
        isTaken(error) ? resolve() : reject(error);
      const run = plugin.trigger(workflow, { data: event.record }, { ...options, onTriggerFail });
      ended = Promise.resolve(run).catch((error) => this.#app.logger.error(String(error)));
    });
    await begun.finally(() => this.#begun.delete(options.eventKey));
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
    this.#reportUnclear(definition, workflows);
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
