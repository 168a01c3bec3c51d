import Form from '@saltcorn/data/models/form';
import Workflow from '@saltcorn/data/models/workflow';
import { escapeHtml } from '@saltcorn/data/utils';
import {
  connect,
  definitions,
  eventReader,
  pickLimits,
  pollIntervalMs,
  reachedSentences,
  secretKeys,
  settingsWithStoredSecrets,
  usageSentence,
} from '../../../src/builder.ts';
import { accountOf } from '../account/account.ts';
import { authTokenOf } from '../account/auth-token.ts';
import { effectiveSettings } from '../account/effective-settings.ts';
import { isFixed, type SettingValues } from '../account/fixed-settings.ts';
import {
  allSecretKeys,
  forgetSecrets,
  storedSecrets,
  takeSecrets,
  takeTyped,
} from '../account/stored-secrets.ts';
import { deskButton } from '../desk/install-desk.ts';
import { deliveryLogOf } from '../event/delivery-log.ts';
import { pollState } from '../event/poller.ts';
import { say, sayError, translated } from '../translated.ts';
import { localTime } from '../view/local-time.ts';
import { connectionTestButton } from './connection-test.ts';
import { defaultSenderField } from './default-sender.ts';
import {
  authTokenField,
  pollField,
  pollInterval,
  publicAddressField,
  reportField,
  webhookUrl,
} from './event-settings.ts';
import { type FormField, formField } from './form-field.ts';
import { freshSecondsField } from './fresh-seconds.ts';
import { limitFields } from './limit-fields.ts';
import { onSettingsPage } from './location.ts';
import { minimumRoleField } from './minimum-role.ts';
import { numbersList, numbersScript } from './numbers.ts';
import { readLimitField } from './read-limit.ts';
import { saveErrorToast } from './save-error.ts';

const { settings } = definitions;

const advanced = () => ({ tab: translated('Advanced') });

const forLimits = () => ({ tab: translated('Limits') });

const forEvents = () => ({ tab: translated('Events') });

/** Returns the status or, if it can't be read, the reason: the settings page must open in any case. */
const orProblem = (news: Promise<string>): Promise<string> =>
  news.catch((error: Error) =>
    translated('Could not read the status: {{problem}}', { problem: escapeHtml(sayError(error)) }),
  );

/** The status of webhooks as HTML: the last event, or why they are off. */
async function eventNews(context: SettingValues, secrets: SettingValues): Promise<string> {
  const { typed, stored } = effectiveSettings(context, secrets);
  const authToken = await authTokenOf();
  try {
    const effective = settingsWithStoredSecrets(typed, stored);
    if (isComplete({ ...effective }))
      eventReader(effective, { url: webhookUrl(context), authToken });
  } catch (error) {
    const problem = escapeHtml(sayError(error));
    return translated('Webhooks are off: {{problem}}', { problem });
  }
  const last = await deliveryLogOf().last();
  return last
    ? translated('Last event: {{time}}.', { time: localTime(last) })
    : translated('No event received yet.');
}

/** The status of polling as HTML: the last poll. */
async function pollNews(context: SettingValues): Promise<string> {
  if (pollInterval(context) === 0) return '';
  const { answeredAt, problem } = await pollState();
  const last = answeredAt
    ? translated('Last poll: {{time}}.', { time: localTime(new Date(answeredAt)) })
    : translated('Not polled yet.');
  return [last, problem && escapeHtml(say(problem))].join(' ');
}

/** How much was sent, and which limits are reached, as HTML. */
async function usageNews(context: SettingValues): Promise<string> {
  if (!isComplete({ ...context, ...(await storedSecrets()) })) return '';
  const telephony = await accountOf(context).telephony();
  const usage = await telephony.usage();
  const reached = reachedSentences(usage).map(say).join(' ');
  const notice = reached && `<span class="text-danger">${escapeHtml(reached)}</span>`;
  return `${escapeHtml(say(usageSentence(usage)))} ${notice}`.trim();
}

function settingsField(field: (typeof settings.fields)[number], known: SettingValues): FormField {
  const { key, advanced: isAdvanced } = field;
  const value = known[key];
  const isKept = secretKeys.includes(key) && value;
  const placeholder = isKept ? translated('unchanged') : field.placeholder;
  return formField(field, {
    required: false,
    attributes: { placeholder },
    ...(isAdvanced && advanced()),
  });
}

const isAnyFixed = () => settings.fields.some(({ key }) => isFixed(key));

const blurb = () =>
  [
    settings.description,
    'Saltcorn saves each field when you leave it: a value takes effect at once, even if you only want to test it.',
    isAnyFixed() && 'An environment variable of Saltcorn sets the fields that are not shown.',
  ]
    .map((text) => text && translated(text))
    .filter(Boolean)
    .join(' ');

const required = settings.fields.filter((field) => field.required).map(({ key }) => key);
const isComplete = (values: SettingValues) => required.every((key) => values[key]);

function isEmptied(values: SettingValues) {
  const { typed, stored } = effectiveSettings(values, {});
  return required.every((key) => !typed[key] && !stored[key]);
}

/** Returns what is wrong with the settings. */
function complaint(
  values: SettingValues,
  secrets: SettingValues,
  isFinished: boolean,
): string | undefined {
  try {
    pollIntervalMs(values.pollMinutes);
    const { typed, stored } = effectiveSettings(values, secrets);
    const effective = settingsWithStoredSecrets(typed, stored);
    // Saltcorn saves whenever the user leaves a field, so incomplete settings are no error yet.
    if (isComplete({ ...effective }) || (isFinished && !isEmptied(values)))
      connect({ ...effective, spending: pickLimits(values) });
    return undefined;
  } catch (error) {
    return onSettingsPage(sayError(error));
  }
}

async function settingsForm(context: SettingValues, isFinished: () => boolean) {
  // Saltcorn writes the whole context into a hidden field of the page.
  for (const key of allSecretKeys) delete context[key];
  const secrets = await storedSecrets();
  const known = { ...context, ...secrets };
  return new Form({
    blurb: blurb(),
    labelCols: 3,
    fields: [
      ...settings.fields.map((field) => settingsField(field, known)),
      await minimumRoleField(context),
      { ...defaultSenderField(), ...advanced() },
      { ...freshSecondsField(), ...advanced() },
      {
        ...publicAddressField(
          context,
          `${await orProblem(eventNews(context, secrets))} ${numbersList()}`,
        ),
        ...forEvents(),
      },
      {
        ...authTokenField(Boolean(secrets.authToken)),
        ...forEvents(),
      },
      { ...reportField(), ...forEvents() },
      {
        ...pollField(await orProblem(pollNews(context))),
        ...forEvents(),
      },
      { ...readLimitField(), ...advanced() },
      ...limitFields(await orProblem(usageNews(context))).map((field) => ({
        ...field,
        ...forLimits(),
      })),
    ],
    tabs: { tabsStyle: 'Accordion' },
    additionalButtons: [connectionTestButton(), ...(await deskButton())],
    additionalHeaders: [saveErrorToast, numbersScript],
    validator: (values) => complaint(values, secrets, isFinished()),
  });
}

/**
 * Saves each field when the user leaves it. Returns the reason for an error, of which Saltcorn would show only “Error”.
 */
class SettingsWorkflow extends Workflow {
  isFinished = false;

  override async singleStepForm(body: SettingValues, request?: object) {
    // Saltcorn removes the fixed fields from its page, but not from the form that checks the page's values: a required one
    // would be missing, and the others would be stored as empty.
    this.modifyForm ??= (form) => {
      form.fields = form.fields.filter(({ name }) => !isFixed(name));
    };
    const step = await super.singleStepForm(takeTyped(body), request);
    const reasons = Object.values(step.renderForm?.errors ?? {}).join(' ');
    return reasons === '' ? step : { ...step, savingErrors: reasons };
  }

  override run(body: SettingValues, request?: object) {
    this.isFinished = true;
    return super.run(takeTyped(body), request);
  }
}

/** The settings page. It contains no secret, neither visible nor hidden. */
export function settingsWorkflow() {
  const form = (context: SettingValues) => settingsForm(context, () => workflow.isFinished);
  const workflow = new SettingsWorkflow({
    steps: [{ name: settings.name, form }],
    onStepSave: (_step, _context, values) => takeSecrets(values),
    onDone: async (values) => {
      if (isEmptied(values)) await forgetSecrets();
      await takeSecrets(values);
      return values;
    },
  });
  return workflow;
}
