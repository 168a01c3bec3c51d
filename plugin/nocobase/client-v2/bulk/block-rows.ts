import type { FlowContext } from '@nocobase/flow-engine';
import { maxRows } from '../../max-rows.ts';
import type { Translate } from '../host.ts';
import { openFilter } from './open-filter.ts';

/** The setting of a button that runs for all rows of its block, not only for the selected ones. */
export const allRows = 'all';

/** Reads all rows that match the data scope and the filters of the button's block, on all its pages. */
async function listedRows({ blockModel = {} }: FlowContext, t: Translate): Promise<object[]> {
  const { collection, resource } = blockModel;
  if (!collection || !resource?.runAction)
    throw new Error(t("This block can't list all its rows. Select rows instead."));
  const problem = openFilter(blockModel, t);
  if (problem) throw new Error(problem);
  const filter = resource.getFilter?.();
  const sort = resource.getSort?.() ?? [];
  const { data, meta } = await resource.runAction('list', {
    method: 'get',
    params: {
      ...(filter && { filter: JSON.stringify(filter) }),
      ...(sort.length > 0 && { sort }),
      fields: [collection.filterTargetKey].flat(),
      page: 1,
      pageSize: maxRows,
    },
  });
  if (data.length === 0) throw new Error(t("No row matches the block's filters."));
  // NocoBase reports the total, or for long and external lists only whether there are more.
  if (meta?.hasNext || Number(meta?.count) > maxRows)
    throw new Error(
      t("More than {{count}} rows match. Narrow the block's filters.", { count: maxRows }),
    );
  return data;
}

/**
 * Returns the keys of the rows for which a button runs.
 *
 * @param which the button's setting; anything but `all` means the selected rows
 * @throws an error for the user if not all rows can be listed
 */
export async function rowsOf(context: FlowContext, which: unknown, t: Translate) {
  const { collection, resource } = context.blockModel ?? {};
  const rows =
    which === allRows ? await listedRows(context, t) : (resource?.getSelectedRows?.() ?? []);
  return collection?.getFilterByTK(rows) ?? [];
}
