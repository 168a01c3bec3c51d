import type { Property } from 'n8n-workflow';
import { definitions, type LimitField } from '../../../src/builder.ts';
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

/** The switch that shows the limits. n8n passes on no value of a field that it doesn't show. */
const limitSwitch: Property = {
  displayName: 'Set Limits',
  name: 'setsLimits',
  type: 'boolean',
  default: false,
  description:
    'Whether to set limits on what is sent. Each process of n8n counts by itself, from its start. Without limits of your own, their defaults apply.',
};

const shown = { show: { [limitSwitch.name]: [true] } };

/** A limit. Its default is a placeholder: a value in the field is one that someone set. */
function limitProperty(limit: LimitField): Property {
  const { key, type, label, help, options } = limit;
  const named = { displayName: titleCase(label), name: key };
  if (type === 'switch')
    return {
      ...{ ...named, type: 'boolean', default: false },
      description: `Whether to stop sending. ${help}`,
    };
  const limited = { ...named, description: help, displayOptions: shown };
  return options
    ? {
        ...{ ...limited, type: 'options', default: options[0].value },
        options: options.map(({ value, label: name }) => ({ name, value })),
      }
    : {
        ...{ ...limited, type: 'string', default: '' },
        placeholder: limit.placeholder ?? String(limit.default ?? ''),
      };
}

/** Where the service reports the status of what is sent; in a node, instead of in its credential. */
export const reportUrl: Property = {
  displayName: 'Webhook URL for Status Reports',
  name: 'statusCallback',
  type: 'string',
  default: '',
  placeholder: 'https://n8n.example.com/webhook/…/events',
  description:
    'The production URL of a Telephony Trigger. Its events Message Status, Call Status and Recording Ready then start its workflow for what is sent.',
};

const isSwitch = ({ type }: LimitField) => type === 'switch';

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
    reportUrl,
    ...settings.limits.filter(isSwitch).map(limitProperty),
    limitSwitch,
    ...settings.limits.filter((limit) => !isSwitch(limit)).map(limitProperty),
  ];
}
