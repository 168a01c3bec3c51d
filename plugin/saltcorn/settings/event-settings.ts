import { getState } from '@saltcorn/data/db/state';
import { escapeHtml } from '@saltcorn/data/utils';
import { button, code } from '@saltcorn/markup/tags';
import { addressBelow, pollIntervalMs, pollRange } from '../../../src/builder.ts';
import { authTokenKey } from '../account/stored-secrets.ts';
import { eventPath } from '../event/event-path.ts';
import { translated } from '../translated.ts';
import { type FormField, secretType } from './form-field.ts';

/** The settings that these functions use. */
interface Placed {
  publicAddress?: string;
  pollMinutes?: number;
}

const siteAddress = (): string => getState().getConfig('base_url', '');

/** The webhook URL; empty if the settings have no public URL. */
export function webhookUrl({ publicAddress }: Placed): string {
  const address = String(publicAddress || siteAddress() || '').trim();
  return address && addressBelow(address, eventPath);
}

// This way of copying also works on pages without https. It selects the text that it copies.
const copy = () =>
  `getSelection().selectAllChildren(this.previousElementSibling); document.execCommand('copy'); this.textContent = '${translated('Copied')}'`;

/** A text with a copy button. */
const copied = (text: string) =>
  code({}, escapeHtml(text)) +
  button(
    { type: 'button', class: 'btn btn-sm btn-outline-secondary mx-1', onclick: copy() },
    translated('Copy'),
  );

/**
 * The setting _Public URL_, which shows the webhook URL and the last event.
 *
 * @param configuration the stored settings
 * @param news the status of webhooks, as HTML
 */
export function publicAddressField(configuration: Placed, news: string): FormField {
  const address = webhookUrl(configuration);
  const enter = address ? ` ${translated('Webhook URL:')} ${copied(address)} ${news}` : '';
  const help = 'The public URL of this Saltcorn. Only needed for webhooks, such as incoming SMS.';
  const example = siteAddress().startsWith('https:') ? siteAddress() : 'https://app.example.com';
  return {
    name: 'publicAddress',
    label: translated('Public URL'),
    sublabel: translated(help) + enter,
    type: 'String',
    required: false,
    attributes: { placeholder: example },
  };
}

/** The Auth Token that signs webhooks. */
export const authTokenField = (isKnown: boolean): FormField => ({
  name: authTokenKey,
  label: translated('Auth Token'),
  sublabel: translated(
    'Only needed with an API key or for a subaccount: the Auth Token that signs webhooks.',
  ),
  type: secretType,
  required: false,
  attributes: { placeholder: isKnown ? translated('unchanged') : undefined },
});

/** Whether the service reports the status of calls, messages and recordings. */
export const reportField = (): FormField => ({
  name: 'reported',
  label: translated('Status reports'),
  sublabel: translated(
    'Starts an event each time the status of a call, message or recording that you started changes.',
  ),
  type: 'Bool',
  required: false,
  attributes: {},
});

/** The poll interval in milliseconds; 0 if polling is off, or the setting is out of range. */
export function pollInterval({ pollMinutes }: Placed): number {
  try {
    return pollIntervalMs(pollMinutes);
  } catch {
    return 0;
  }
}

/**
 * The poll interval, for a Saltcorn that the service can't reach.
 *
 * @param news the status of polling, as HTML
 */
export const pollField = (news: string): FormField => ({
  name: 'pollMinutes',
  label: translated('Poll every … minutes'),
  sublabel:
    `${translated("Set this if the service can't reach this Saltcorn. Each poll sends up to three requests: for messages, calls and recordings, if they have triggers. 0 turns polling off.")} ${news}`.trim(),
  type: 'Float',
  required: false,
  default: 0,
  attributes: { min: 0, max: pollRange.most, decimal_places: 1 },
});
