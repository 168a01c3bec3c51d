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

/**
 * Defines a column type for NocoBase. Only columns that the service filters by have a filter, with the operator `is`, and with choices also
 * `is any of`.
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
    override filterable = isFilter
      ? { operators: type === 'choice' ? ofChoices : [is] }
      : undefined;
  };

export function registerInterfaces(host: Host): void {
  host.dataSourceManager.addFieldInterfaces([
    ...interfaces.map(({ name, type, isFilter }) => fieldInterface(name, type, isFilter)),
    ...[durationInterface, mediaInterface, pictureInterface].map((name) =>
      fieldInterface(name, 'text', false),
    ),
  ]);
}
