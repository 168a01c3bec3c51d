import type { FormField } from './form-field.ts';

/** The setting of whom messages come from where an action does not say so. */
export const defaultSenderField: FormField = {
  name: 'defaultSender',
  label: 'Default sender',
  sublabel: 'Used when an action has no sender.',
  type: 'String',
  required: false,
  attributes: { placeholder: '+14155550100' },
};
