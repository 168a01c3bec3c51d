import { DataSource } from '@nocobase/data-source-manager';
import { definitions } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import type { Tickets } from '../media/tickets.ts';
import { TelephonyCollectionManager } from './collection-manager.ts';
import { collections } from './collections.ts';
import { TelephonyRepository } from './repository.ts';

/** The type of the NocoBase data sources that represent accounts. */
export const dataSourceType = definitions.manifest.id;

/** With only these actions, NocoBase hides Add, Edit and Delete. */
const availableActions = () => ['get', 'list'];

/** Creates the class of the data sources that represent accounts. */
export const telephonyDataSource = (accounts: Accounts, tickets: Tickets) =>
  class TelephonyDataSource extends DataSource {
    override createACL() {
      const acl = super.createACL();
      const can = acl.can.bind(acl);
      acl.can = (asked) => {
        const found = can(asked);
        // Only charts check this action. NocoBase merges the rows that a role may see with the filter of a chart so that
        // either can lose conditions. The repository limits the rows instead.
        if (asked.action === 'view') delete found?.params?.filter;
        return found;
      };
      return acl;
    }

    override createCollectionManager() {
      return new TelephonyCollectionManager();
    }

    /** Its lists can be charted. */
    override publicOptions() {
      return { capabilities: { query: true } };
    }

    override async load() {
      // Limits rights on the whole source to its own collections. Otherwise a chart could name a table of the main
      // database, and NocoBase would read it.
      this.acl.setStrategyResources(collections.map(({ options }) => options.name));
      for (const { source, options } of collections) {
        const { name } = this;
        class Repository extends TelephonyRepository {
          constructor(collection: object) {
            super(collection, source, { accounts, tickets, key: name });
          }
        }
        const collection = this.collectionManager.defineCollection({
          ...options,
          repository: Repository,
        });
        Object.assign(collection, { availableActions });
      }
    }
  };
