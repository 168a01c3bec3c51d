import type { Property } from 'n8n-workflow';
import { definitions } from '../../../src/builder.ts';
import { titleCase } from '../title-case.ts';

const { settings } = definitions;

/** The name of the credential, by which nodes find it. */
export const credentialName = 'telephonyApi';

const property = ({ key, label, help, type, required, ...field }: Field): Property => ({
  displayName: titleCase(label),
  name: key,
  type: 'string',
  default: field.default ?? '',
  ...(required && { required }),
  ...(help && { description: help }),
  ...(field.placeholder && { placeholder: field.placeholder }),
  ...(type === 'secret' && { typeOptions: { password: true } }),
});

type Field = (typeof settings.fields)[number] & { default?: string; placeholder?: string };

/** The credential: the settings of an account. */
export class TelephonyApi {
  name = credentialName;
  displayName = 'Telephony API';
  icon = 'file:../icon.svg' as const;
  documentationUrl = 'https://www.twilio.com/docs/usage/requests-to-twilio';
  properties: Property[] = [
    ...settings.fields.map((field) => property(field as Field)),
    {
      displayName: 'Auth Token for Webhooks',
      name: 'authToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Only needed with an API key or for a subaccount: the Auth Token that signs webhooks',
    },
  ];
}
