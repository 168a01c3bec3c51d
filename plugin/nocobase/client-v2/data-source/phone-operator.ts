import { phoneOperator } from '../../phone-operator.ts';
import { translated } from '../../translated.ts';
import type { Host } from '../host.ts';

/** NocoBase's types of columns that can hold phone numbers. */
const columnTypes = ['input', 'phone', 'textarea'];

/** Offers the operator that finds a phone number, however it is written, in the filters of NocoBase's own tables. */
export function registerPhoneOperator(host: Host): void {
  for (const type of columnTypes)
    host.addFieldInterfaceOperator(type, {
      ...{ label: translated('is the phone number'), value: phoneOperator },
      schema: { type: 'string', 'x-component': 'Input' },
    });
}
