import type { BlockModel, FilterField, FilterFieldForm } from '@nocobase/flow-engine';
import { columnWithoutValue, isDropped } from '../data-source/conditions.ts';
import { unboundColumn } from '../data-source/data-scope.ts';
import type { Translate } from '../host.ts';

/** Whether a default value of a filter form's field is a variable, or code. */
const isComputed = (value: unknown) => /\{\{|"code":/.test(JSON.stringify(value) ?? '');

/** The default values that a filter form can give a field, as NocoBase stores them. */
function defaultsOf(field: FilterField, form: FilterFieldForm | undefined): unknown[] {
  const path = field.getStepParams('fieldSettings', 'init')?.fieldPath;
  const rules = [form?.getStepParams('formFilterBlockModelSettings', 'defaultValues')?.value]
    .flat()
    .filter((rule) => Object(rule).targetPath === path);
  const own = field.getStepParams('filterFormItemSettings', 'initialValue')?.defaultValue;
  return [own, ...rules.map((rule) => Object(rule).value)];
}

/** The column of a field whose default value, a variable, has no value. NocoBase then drops the field's condition. */
function unfilledColumn({ uid, context, flowEngine }: BlockModel): string | undefined {
  const configs = context?.filterManager?.getFilterConfigs() ?? [];
  const unfilled = configs.find(({ filterId, targetId }) => {
    const field = targetId === uid ? flowEngine?.getModel(filterId) : undefined;
    return (
      field?.getFilterValue !== undefined &&
      isDropped(field.getFilterValue()) &&
      defaultsOf(field, field.context?.blockModel).some(isComputed)
    );
  });
  return unfilled && (unfilled.filterPaths?.[0] ?? '?');
}

/** The column of a condition without a value in the filter button of a block. */
const filterColumn = ({ subModels }: BlockModel): string | undefined =>
  [subModels?.actions ?? []]
    .flat()
    .map(({ props: { filterValue } = {} }) =>
      filterValue ? columnWithoutValue(filterValue, filterValue) : undefined,
    )
    .find((column) => column !== undefined);

/**
 * Returns why a block's filters may let rows through that they should not, as a sentence for the user; undefined if they don't.
 * NocoBase drops conditions without a value.
 */
export function openFilter(block: BlockModel, t: Translate): string | undefined {
  const { collection, resource } = block;
  const titleOf = (column: string) => collection?.getFieldByPath?.(column)?.title ?? column;
  const scoped = resource && unboundColumn(resource);
  if (scoped !== undefined)
    return t(
      "“{{column}}” in the block's data scope has no value here. Nothing was sent. Open this page from its button or link, or ask an administrator to check the data scope.",
      { column: titleOf(scoped) },
    );
  const filtered = filterColumn(block) ?? unfilledColumn(block);
  if (filtered !== undefined)
    return t(
      "“{{column}}” in the block's filter has no value. Nothing was sent. Enter one, or remove the condition.",
      { column: titleOf(filtered) },
    );
  if (block.getDataLoadingMode?.() === 'manual' && !block.hasActiveFilters?.())
    return t(
      'This block shows no rows until you filter them. Nothing was sent. Filter them first.',
    );
  return undefined;
}
