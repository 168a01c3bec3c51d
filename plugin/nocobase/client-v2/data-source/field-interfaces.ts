import { CollectionFieldInterface } from '@nocobase/client-v2';
import {
  durationInterface,
  interfaces,
  mediaInterface,
  pictureInterface,
} from '../../interfaces.ts';
import type { Host } from '../host.ts';

const is = { label: '{{t("is")}}', value: '$eq', selected: true };
const select = (mode: 'tags' | null) => ({
  schema: { 'x-component': 'Select', 'x-component-props': { mode } },
});
const ofChoices = [
  { ...is, ...select(null) },
  { label: '{{t("is any of")}}', value: '$in', ...select('tags') },
];

const date = (value: string, label: string, isRange = false) => ({
  ...{ value, label: `{{t("${label}")}}`, selected: value === '$dateOn' },
  schema: { 'x-component': 'DateFilterDynamicComponent', 'x-component-props': { isRange } },
  onlyFilterAction: !isRange,
});
/** Those of NocoBase's own dates that the service can apply. */
const ofDates = [
  date('$dateOn', 'is'),
  date('$dateBefore', 'is before'),
  date('$dateAfter', 'is after'),
  date('$dateNotBefore', 'is on or after'),
  date('$dateNotAfter', 'is on or before'),
  date('$dateBetween', 'is between', true),
];

const operatorsOf = (type: string) => {
  if (type === 'choice') return ofChoices;
  return type === 'date' || type === 'day' ? ofDates : [is];
};

/**
 * Defines a column type for NocoBase. Only columns that the service filters by have a filter, with the operator `is`, with choices also
 * `is any of`, and with dates those of a range.
 */
const fieldInterface = (name: string, type: string, isFilter: boolean) =>
  class extends CollectionFieldInterface {
    override name = name;
    override type = 'object';
    override group = 'basic';
    override title = name;
    override creatable = false;
    override sortable = false;
    override titleUsable = true;
    override default = { type: 'string', uiSchema: { type: 'string', 'x-component': 'Input' } };
    override filterable = isFilter ? { operators: operatorsOf(type) } : undefined;
  };

export function registerInterfaces(host: Host): void {
  host.dataSourceManager.addFieldInterfaces([
    ...interfaces.map(({ name, type, isFilter }) => fieldInterface(name, type, isFilter)),
    ...[durationInterface, mediaInterface, pictureInterface].map((name) =>
      fieldInterface(name, 'text', false),
    ),
  ]);
}
