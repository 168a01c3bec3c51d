import { Plugin } from '@nocobase/server';
import {
  type Batches,
  type Clicks,
  clicks,
  definitions,
  expireWrites,
  pollStateOf,
  purgeHourly,
  sentence,
  setSettingsLocation,
  TelephonyError,
  workflowSteps,
} from '../../src/builder.ts';
import {
  accountsResource,
  actionsResource,
  choicesResource,
  mediaResource,
  runsResource,
  storeTable,
} from './resources.ts';
import { Accounts } from './server/account/account.ts';
import { accountsCollection } from './server/account/accounts-table.ts';
import { actionHandlers, type Done, renderError, renderForbidden } from './server/action/action.ts';
import { Forbidden } from './server/action/rights.ts';
import type { BatchContext } from './server/bulk/batch-context.ts';
import { accountsBatches } from './server/bulk/batches.ts';
import { runHandlers } from './server/bulk/bulk-run.ts';
import { uncached } from './server/chart/uncached.ts';
import { choicesHandlers } from './server/choices/choices.ts';
import { dataSourceType, telephonyDataSource } from './server/data-source/data-source.ts';
import { deliveryLogOf } from './server/event/delivery-logs.ts';
import { eventRoute } from './server/event/event-route.ts';
import { EventWorkflows } from './server/event/event-workflows.ts';
import { limitReporter } from './server/event/limit-event.ts';
import { accountsPoller } from './server/event/poller.ts';
import { playMedia } from './server/media/media-route.ts';
import { Tickets } from './server/media/tickets.ts';
import type { Context, Handler } from './server/nocobase.ts';
import { registerChannels } from './server/notification/channels.ts';
import { registerPhoneOperator } from './server/phone-operator.ts';
import { settingsActions } from './server/settings/settings-actions.ts';
import { nocobaseStore, storeCollection } from './server/store.ts';
import { registerCodeProviders } from './server/verification/code-providers.ts';
import { eventTrigger, type Started } from './server/workflow/event-trigger.ts';
import { operationInstructions } from './server/workflow/operation-instruction.ts';
import { replyInstructions } from './server/workflow/reply-instruction.ts';
import type { Workflows } from './server/workflow/workflows.ts';
import { triggerType } from './workflow-types.ts';

interface ErrorHandler {
  errorHandler: {
    register<Fault extends Error>(
      guard: (error: unknown) => error is Fault,
      render: (error: Fault, context: Context) => void,
    ): void;
  };
}

const tables = [accountsCollection, storeCollection];

/** The part of the plugin that NocoBase's server runs. */
export default class TelephonyPlugin extends Plugin {
  readonly #sources = () => this.app.db.getRepository('dataSources');

  #poller: ReturnType<typeof accountsPoller> | undefined;
  #stopPurging = () => {};
  #batches: Batches<BatchContext> | undefined;

  #clicks: Clicks<Done> | undefined;

  async #purge() {
    await this.#batches?.expire();
    await this.#clicks?.expire();
    await expireWrites(nocobaseStore(this.app));
    await workflowSteps(nocobaseStore(this.app)).expire();
    for (const { key } of await new Accounts(this.app).all())
      await deliveryLogOf(this.app, key).expire();
  }

  override async beforeLoad() {
    setSettingsLocation(sentence("the plugin's settings"));
    const { app } = this;
    const accounts = new Accounts(app);
    const tickets = new Tickets(app);
    const batches = accountsBatches(app, accounts);
    this.#batches = batches;
    const handled = clicks<Done>(nocobaseStore(app));
    this.#clicks = handled;
    for (const table of tables) app.db.collection(table);
    app.on('beforeStart', async () => {
      for (const { name } of tables) await app.db.getCollection(name).sync();
    });
    app.db.on('dataSources.afterDestroy', async (source) => {
      if (source.get('type') !== dataSourceType) return;
      const key = String(source.get('key'));
      await app.db.getRepository(accountsResource).destroy({ filterByTk: key });
      await deliveryLogOf(app, key).clear();
      await pollStateOf(nocobaseStore(app), key).reset();
    });
    app.dataSourceManager.registerDataSourceType(
      dataSourceType,
      telephonyDataSource(accounts, tickets),
    );
    const define = (name: string, actions: Record<string, Handler>) =>
      // Removes the default actions of a table, through which users who may change tables could change this one.
      app.resourceManager.define({ name, actions, only: Object.keys(actions) });
    const workflows = new EventWorkflows(app, accounts);
    define(accountsResource, settingsActions(app, accounts, workflows));
    define(actionsResource, actionHandlers(app, accounts, handled));
    define(choicesResource, choicesHandlers(app, accounts));
    define(mediaResource, { play: playMedia(tickets, accounts) });
    define(runsResource, runHandlers(app, accounts, batches));
    app.resourceManager.registerPreActionHandler('charts:queryData', uncached(app));
    app.resourceManager.define({ name: storeTable, actions: {}, only: ['none'] });
    // The handlers check the rights in the account's settings. A media URL carries its own right, the ticket.
    app.acl.allow(actionsResource, '*', 'loggedIn');
    app.acl.allow(runsResource, '*', 'loggedIn');
    app.acl.allow(choicesResource, 'list', 'loggedIn');
    app.acl.allow(mediaResource, 'play', 'public');
    app.acl.registerSnippet({
      name: `pm.${definitions.manifest.id}`,
      actions: [`${accountsResource}:*`],
    });
    accounts.onLimitReached = limitReporter(app, workflows);
    app.use(eventRoute(app, accounts, workflows), { tag: storeTable, before: 'bodyParser' });
    const poller = accountsPoller(app, accounts, workflows);
    this.#poller = poller;
    app.on('beforeStop', async () => {
      this.#stopPurging();
      // Requests in flight matter more than a fast stop.
      await Promise.all([poller.stop(), batches.close()]);
    });
    const errors = app.pm.get('error-handler') as ErrorHandler | undefined;
    errors?.errorHandler.register(
      (error): error is TelephonyError => error instanceof TelephonyError,
      renderError,
    );
    errors?.errorHandler.register(
      (error): error is Forbidden => error instanceof Forbidden,
      renderForbidden,
    );
    registerChannels(app, accounts);
    registerPhoneOperator(app, accounts);
    registerCodeProviders(app, accounts);
    this.#registerInWorkflows(accounts, clicks<Started | null>(nocobaseStore(app)));
  }

  override async load() {
    // NocoBase has then loaded its own plugins, so the plugin can read which workflows are enabled.
    this.app.on('afterStart', async () => {
      this.#stopPurging();
      this.#stopPurging = purgeHourly(() => this.#purge());
      this.#poller?.start();
    });
  }

  #registerInWorkflows(accounts: Accounts, executions: Clicks<Started | null>) {
    const { app } = this;
    const workflows = app.pm.get('workflow') as Workflows | undefined;
    const operations = operationInstructions(app, accounts, nocobaseStore(app));
    const instructions = [...operations, ...replyInstructions(app)];
    if (!workflows) return;
    for (const { type, instruction } of instructions)
      workflows.registerInstruction(type, instruction);
    for (const event of definitions.events)
      workflows.registerTrigger(
        triggerType(event),
        eventTrigger(event, workflows, accounts, executions),
      );
  }

  async #enableSources(enabled: boolean) {
    await this.#sources().update({ filter: { type: dataSourceType }, values: { enabled } });
  }

  override async afterEnable() {
    await this.#enableSources(true);
  }

  override async afterDisable() {
    await this.#enableSources(false);
  }
}
