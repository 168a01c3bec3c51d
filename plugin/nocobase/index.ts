import { Plugin } from '@nocobase/server';
import { definitions, TelephonyError } from '../../src/index.ts';
import { accountsResource, actionsResource, mediaResource, runsResource } from './resources.ts';
import { Accounts } from './server/account/account.ts';
import { accountsCollection } from './server/account/accounts-table.ts';
import { actionHandlers, renderError } from './server/action/action.ts';
import { runHandlers } from './server/bulk/bulk-run.ts';
import { runsCollection } from './server/bulk/runs-table.ts';
import { dataSourceType, telephonyDataSource } from './server/data-source/data-source.ts';
import { playMedia } from './server/media/media-route.ts';
import type { Context, Handler } from './server/nocobase.ts';
import { settingsActions } from './server/settings/settings-actions.ts';
import { operationInstructions } from './server/workflow/operation-instruction.ts';

interface ErrorHandler {
  errorHandler: {
    register(
      guard: (error: unknown) => boolean,
      render: (error: TelephonyError, context: Context) => void,
    ): void;
  };
}

interface Workflow {
  registerInstruction(type: string, instruction: object): void;
}

/** The part of the plugin that NocoBase's server runs. */
export default class TelephonyPlugin extends Plugin {
  readonly #sources = () => this.app.db.getRepository('dataSources');

  override async beforeLoad() {
    const { app } = this;
    const accounts = new Accounts(app);
    app.db.collection(accountsCollection);
    app.db.collection(runsCollection);
    app.db.on('dataSources.afterDestroy', async (source) => {
      const filterByTk = source.get('key');
      if (source.get('type') === dataSourceType)
        await app.db.getRepository(accountsResource).destroy({ filterByTk });
    });
    app.dataSourceManager.registerDataSourceType(dataSourceType, telephonyDataSource(accounts));
    const define = (name: string, actions: Record<string, Handler>) =>
      // A table has actions of its own, with which whoever may change tables could change it.
      app.resourceManager.define({ name, actions, only: Object.keys(actions) });
    define(accountsResource, settingsActions(app, accounts));
    define(actionsResource, actionHandlers(accounts));
    define(mediaResource, { play: playMedia(accounts) });
    define(runsResource, runHandlers(app, accounts));
    // Who may run an action stands in the account, and its handler asks for it. An address of a sound is a right of its own.
    app.acl.allow(actionsResource, '*', 'loggedIn');
    app.acl.allow(runsResource, '*', 'loggedIn');
    app.acl.allow(mediaResource, 'play', 'public');
    app.acl.registerSnippet({
      name: `pm.${definitions.manifest.id}`,
      actions: [`${accountsResource}:*`],
    });
    const errors = app.pm.get('error-handler') as ErrorHandler | undefined;
    errors?.errorHandler.register((error) => error instanceof TelephonyError, renderError);
    const workflow = app.pm.get('workflow') as Workflow | undefined;
    for (const { type, instruction } of operationInstructions(app, accounts))
      workflow?.registerInstruction(type, instruction);
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
