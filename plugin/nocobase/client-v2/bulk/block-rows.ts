import type { FlowContext } from '@nocobase/flow-engine';
import { numberText } from '../../../../src/builder.ts';
import type { Translate } from '../host.ts';
import { openFilter } from './open-filter.ts';

/** The setting of a button that runs for all rows of its block, not only for the selected ones. */
export const allRows = 'all';

/** How many rows one request reads. */
const pageSize = 1_000;

/** Reads all rows that match the data scope and the filters of the button's block, on all its pages. */
async function listedRows(
  { blockModel = {} }: FlowContext,
  maxRows: number,
  t: Translate,
): Promise<object[]> {
  const { collection, resource } = blockModel;
  if (!collection || !resource?.runAction)
    throw new Error(t("This block can't list all its rows. Select rows instead."));
  const problem = openFilter(blockModel, t);
  if (problem) throw new Error(problem);
  const filter = resource.getFilter?.();
  const sort = resource.getSort?.() ?? [];
  const rows: object[] = [];
  for (let page = 1; ; page += 1) {
    const { data, meta } = await resource.runAction('list', {
      method: 'get',
      params: {
        ...(filter && { filter: JSON.stringify(filter) }),
        ...(sort.length > 0 && { sort }),
        ...{ fields: [collection.filterTargetKey].flat(), page, pageSize },
      },
    });
    rows.push(...data);
    // NocoBase reports the total, or for long and external lists only whether there are more.
    const least = meta?.count ?? rows.length + Number(meta?.hasNext ?? false);
    if (Math.max(least, rows.length) > maxRows)
      throw new Error(
        t(
          "More than {{most}} rows match. Narrow the block's filters, or raise “Maximum rows” in the button's settings.",
          { most: numberText(maxRows) },
        ),
      );
    if (rows.length < least && data.length > 0) continue;
    if (rows.length === 0) throw new Error(t("No row matches the block's filters."));
    return rows;
  }
}

/**
 * Returns the keys of the rows for which a button runs.
 *
 * @param which the button's setting; anything but `all` means the selected rows
 * @throws an error for the user if not all rows can be listed
 */
export async function rowsOf(context: FlowContext, which: unknown, maxRows: number, t: Translate) {
  const { collection, resource } = context.blockModel ?? {};
  const rows =
    which === allRows
      ? await listedRows(context, maxRows, t)
      : (resource?.getSelectedRows?.() ?? []);
  return collection?.getFilterByTK(rows) ?? [];
}
