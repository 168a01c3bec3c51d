import { TelephonyCollectionManager } from '../data-source/collection-manager.ts';
import type { Application, Handler } from '../nocobase.ts';

/**
 * Keeps the charts of accounts out of NocoBase's cache. Its key doesn't contain the user's rights, so a user could be
 * shown the chart of another one.
 */
export const uncached =
  ({ dataSourceManager }: Application): Handler =>
  async ({ action: { params } }, next) => {
    const source = dataSourceManager.get(String(params.values?.dataSource));
    if (source?.collectionManager instanceof TelephonyCollectionManager)
      params.values = { ...params.values, cache: undefined };
    await next();
  };
