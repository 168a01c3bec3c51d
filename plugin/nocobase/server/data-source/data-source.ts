import { CollectionManager, DataSource } from '@nocobase/data-source-manager';
import { definitions } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import type { Tickets } from '../media/tickets.ts';
import { collections } from './collections.ts';
import { TelephonyRepository } from './repository.ts';

/** The type of data source that an account is in NocoBase. */
export const dataSourceType = definitions.manifest.id;

/** NocoBase hides Add, Edit and Delete where only these are. */
const availableActions = () => ['get', 'list'];

/** The class of data sources that accounts are. */
export const telephonyDataSource = (accounts: Accounts, tickets: Tickets) =>
  class TelephonyDataSource extends DataSource {
    override createCollectionManager() {
      return new CollectionManager();
    }

    override async load() {
      // Whoever may see all of this source may see nothing else by it: NocoBase's charts look in its main database.
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
