import { choicesUrl } from '../choices/choices-route.ts';
import { choicesMark } from '../choices/choices-script.ts';
import { translated } from '../translated.ts';
import type { FormField } from './form-field.ts';

/** The default sender. */
export const defaultSenderField = (): FormField => ({
  name: 'defaultSender',
  label: translated('Default sender'),
  sublabel: `${translated('Used when an action has no sender.')} ${choicesMark(choicesUrl())}`,
  type: 'String',
  required: false,
  attributes: { placeholder: '+14155550100' },
});
