import type { Field, SettingsField } from '../../generated/definition-types.ts';

type Described =
  | Pick<Field, 'type' | 'options' | 'minimum' | 'maximum' | 'maxLength'>
  | SettingsField;

const count = (number: number | undefined) => number?.toLocaleString('en-US');

const sentences: Record<Described['type'], (field: Partial<Field>) => string> = {
  phone: () => 'must be a phone number such as +14155550100, or a sender the service knows',
  sid: () => 'must be an identifier of at most 64 letters, digits, "-" and "_"',
  text: ({ maxLength }) =>
    maxLength ? `must be a text of at most ${count(maxLength)} characters` : 'must be a text',
  choice: ({ options }) => `must be one of ${options?.join(', ')}`,
  integer: ({ minimum, maximum }) =>
    `must be a whole number from ${count(minimum)} to ${count(maximum)}`,
  secret: () => 'must be one line of at most 255 characters',
  url: () => 'must be an address such as https://api.example.com',
};

/**
 * Says what a field's value must be, as the second half of a sentence: "must be one of queued, busy".
 *
 * @param field a field of an operation or of the settings
 */
export const describeType = (field: Described): string => sentences[field.type](field as Field);
