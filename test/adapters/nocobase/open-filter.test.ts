import type { BlockModel, FilterField, FilterFieldForm } from '@nocobase/flow-engine';
import { openFilter } from '../../../plugin/nocobase/client-v2/bulk/open-filter.ts';

const collection = {
  ...{ name: 'customers', title: 'Customers', dataSourceKey: 'main', filterTargetKey: 'id' },
  getFilterByTK: () => [],
  getFields: () => [],
  getFieldByPath: (path: string) => ({ city: { title: 'City' } })[path],
};

const t = (text: string, values: object = {}) =>
  text.replace(/\{\{(.+?)\}\}/g, (_, key) => new Map(Object.entries(values)).get(key));

const sentence =
  "“City” in the block's filter has no value. Nothing was sent. Enter one, or remove the condition.";

/** A block with a filter button that has a condition with this value. */
const withButton = (value: unknown): BlockModel => {
  const filterValue = { items: [{ path: 'city', operator: '$eq', value }] };
  return { collection, subModels: { actions: [{}, { props: { filterValue } }] } };
};

/** A model that stores these parameters, by flow and step. */
const stored = (params: object): FilterFieldForm => ({
  getStepParams: (flow, step) => new Map(Object.entries(params)).get(`${flow}.${step}`),
});

/** A block that a field of a filter form filters. */
function withForm(value: unknown, own: object, form: object): BlockModel {
  const init = { 'fieldSettings.init': { fieldPath: 'city' } };
  const field: FilterField = {
    ...stored({ ...init, ...own }),
    getFilterValue: () => value,
    context: { blockModel: stored(form) },
  };
  const config = { filterId: 'field', targetId: 'block', filterPaths: ['city'] };
  const filterManager = { getFilterConfigs: () => [{ ...config, targetId: 'other' }, config] };
  const getModel = (uid: string) => (uid === 'field' ? field : undefined);
  return { uid: 'block', collection, context: { filterManager }, flowEngine: { getModel } };
}

const variable = '{{ ctx.urlSearchParams.city }}';
const ownDefault = (defaultValue: unknown) => ({
  'filterFormItemSettings.initialValue': { defaultValue },
});
const formDefault = (targetPath: string, value: unknown) => ({
  'formFilterBlockModelSettings.defaultValues': { value: [{ targetPath, value }] },
});

test.each<[block: string, block: BlockModel]>([
  ['a condition of its filter button', withButton('')],
  ['a field of a filter form whose default is a variable', withForm('', ownDefault(variable), {})],
  ['a field for which the form sets a variable', withForm(null, {}, formDefault('city', variable))],
  ['a field whose default is code', withForm([], ownDefault({ code: 'return 1' }), {})],
])('a block is refused if %s has no value', (_, block) => {
  expect(openFilter(block, t)).toBe(sentence);
});

test.each<[filter: string, block: BlockModel]>([
  ['no filter', { collection }],
  [
    'a filter button without conditions',
    { subModels: { actions: { props: { filterValue: {} } } } },
  ],
  ['a filter button with a complete condition', withButton('Berlin')],
  ['a field whose default, a variable, has a value', withForm('Berlin', ownDefault(variable), {})],
  ['an empty field without a default', withForm('', {}, {})],
  ['an empty field, and a default of another', withForm('', {}, formDefault('name', variable))],
])('a block with %s is not refused', (_, block) => {
  expect(openFilter(block, t)).toBeUndefined();
});

test.each<[hasFilters: boolean, problem: string | undefined]>([
  [false, 'This block shows no rows until you filter them. Nothing was sent. Filter them first.'],
  [true, undefined],
])('a block that shows rows only when filtered, filtered: %s', (hasFilters, problem) => {
  const block: BlockModel = {
    getDataLoadingMode: () => 'manual',
    hasActiveFilters: () => hasFilters,
  };
  expect(openFilter(block, t)).toBe(problem);
});
