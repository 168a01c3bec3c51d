import { CollectionFieldInterface } from '@nocobase/client-v2';
import {
  durationInterface,
  interfaces,
  mediaInterface,
  pictureInterface,
} from '../../interfaces.ts';
import type { Host } from '../host.ts';

const is = { label: '{{t("is")}}', value: '$eq', selected: true };
const isOneOf = {
  ...is,
  schema: { 'x-component': 'Select', 'x-component-props': { mode: null } },
};

/**
 * Defines a column type for NocoBase. Only columns that the service filters by have a filter, with `is` as its only
 * operator.
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
    override filterable = isFilter ? { operators: [type === 'choice' ? isOneOf : is] } : undefined;
  };

export function registerInterfaces(host: Host): void {
  host.dataSourceManager.addFieldInterfaces([
    ...interfaces.map(({ name, type, isFilter }) => fieldInterface(name, type, isFilter)),
    ...[durationInterface, mediaInterface, pictureInterface].map((name) =>
      fieldInterface(name, 'text', false),
    ),
  ]);
}
