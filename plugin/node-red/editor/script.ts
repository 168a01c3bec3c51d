import {
  addressBelow,
  type CheckedField,
  isValidText,
  reachedSentences,
  smsCount,
  smsSegments,
  usageSentence,
} from '../../../src/builder.ts';
import { readLimit } from '../data-source/record-limit.ts';
import type { EventReport } from '../event/event-report.ts';
import { elsewhere, variableName } from '../node/field-properties.ts';
import type { TestReport } from '../settings/connection-test.ts';
import type { UsageReport } from '../settings/usage.ts';
import type { Element, NodeProperties, TypedInputType } from './browser.ts';
import {
  type ChoicesSource,
  choicesType,
  editedAccount,
  nameButton,
  typedAccount,
} from './choices.ts';
import { say, t, timeText, translated } from './translate.ts';

export { prepareNumbers } from './numbers.ts';

declare const $: typeof import('./browser.ts').$;
declare const RED: typeof import('./browser.ts').RED;
declare const document: typeof import('./browser.ts').document;

/** An input of a node's dialog. */
export interface InputField {
  /** The properties that store the value and its type. */
  value: string;
  type: string;
  types: (string | TypedInputType)[];
  /** The id of the element that shows the number of SMS, if the input has one. */
  count?: string;
  /** If the input offers choices: the id of the element that explains why there are none, and what to request. */
  choices?: { hint: string; operation: string; field: string };
  /** The message property that it starts with if its operation is chosen. */
  start?: string | false;
}

/** Shows the number of SMS below an input. Counts only typed text: other values aren't known yet. */
function prepareCount(input: Element, id: string) {
  const show = () => {
    const text = input.typedInput('value');
    const isTyped = input.typedInput('type') === 'str' && !variableName(text);
    $(`#${id}`).text(isTyped ? say(smsCount(smsSegments(text))) : '');
  };
  input.on('change', show);
  // While the user types, events reach only the elements around the input.
  input.closest('.form-row').on('input', show);
  show();
}

/** Translates an input type. Its options keep their values, except the label for none. */
const inLanguage = (type: TypedInputType): TypedInputType => ({
  ...type,
  label: translated(type.label),
  ...(type.options && {
    options: type.options.map(({ value, label }) => ({
      value,
      label: value === '' ? translated(label) : label,
    })),
  }),
});

/** Initialises the inputs of a node's dialog. */
export function prepareInputs(fields: InputField[], source: ChoicesSource) {
  for (const { value, type, types, count, choices } of fields) {
    const input = $(`#node-input-${value}`);
    const [first = 'str', ...others] = types;
    const account = () => editedAccount($('#node-input-account').val(), source);
    const own = choices
      ? choicesType(source, input, $(`#${choices.hint}`), account, choices)
      : typeof first === 'string'
        ? first
        : inLanguage(first);
    input.typedInput({
      default: typeof own === 'string' ? own : own.value,
      typeField: `#node-input-${type}`,
      types: [own, ...others],
    });
    if (count) prepareCount(input, count);
    if (choices) nameButton(input);
  }
}

/** Makes the palette's search find a node by all that its dialog offers, not only by its label. */
export function addToSearch(type: string, names: string[]) {
  $(`[data-palette-type="${type}"]`).attr('data-palette-label', names.join(' '));
}

/** The node whose dialog was opened last. */
let edited: NodeProperties | undefined;

/**
 * Makes a node's dialog show the inputs of the operation that is chosen in it. Inputs of the same key keep their values.
 *
 * @param all the inputs of each operation
 */
export function prepareOperation(
  node: NodeProperties,
  all: Record<string, InputField[]>,
  source: ChoicesSource,
) {
  edited = node;
  const select = $('#node-input-operation');
  const place = $('#telephony-operation');
  const blocks = place.children().detach();
  const values = { ...node };
  const inputs = () => place.find('[id^=node-input-]');
  const property = (id: string) => id.replace('node-input-', '');
  const keepValues = () =>
    inputs().each((_, { id, value }) => {
      values[property(id)] = value;
    });
  const show = () => {
    const operation = select.val();
    place.empty();
    blocks.filter(`[data-operation="${operation}"]`).clone().appendTo(place);
    inputs().each((_, { id }) => $(`#${id}`).val(values[property(id)] ?? ''));
    prepareInputs(all[operation] ?? [], source);
    // Node-RED validates all inputs when one changes that was there before.
    inputs().on('change keyup paste', () => $('#node-input-name').trigger('change'));
  };
  select.on('change', () => {
    keepValues();
    for (const { value, type, start } of all[select.val()] ?? [])
      if (start && !values[value] && !elsewhere.includes(values[type] ?? ''))
        Object.assign(values, { [value]: start, [type]: 'msg' });
    show();
  });
  show();
}

/** Ticks the box of a node that an earlier version of the plugin saved, because that is how it runs. */
export function prepareSkipSent({ skipSent }: NodeProperties) {
  $('#node-input-skipSent').prop('checked', String(skipSent) !== 'false');
}

/**
 * Makes the default sender's input offer the account's numbers.
 *
 * @param key the property of the input
 * @param hint the id of the element that explains why there are no choices
 * @param id the id of the account
 */
export function prepareSender(source: ChoicesSource, key: string, hint: string, id: string) {
  const input = $(`#node-config-input-${key}`);
  const account = () => typedAccount(id, source);
  input.typedInput({ types: [choicesType(source, input, $(`#${hint}`), account, {})] });
  nameButton(input);
}

/**
 * Initialises the input for the result's message property.
 *
 * @param usual the value for nodes from versions without this setting
 */
export function prepareProperty(usual: string) {
  const input = $('#node-input-property');
  if (input.val() === '') input.val(usual);
  input.typedInput({ default: 'msg', types: ['msg'] });
}

/** What an input has to be. */
export type InputCheck = CheckedField & { label: string; isRequired: boolean };

/**
 * Validates an input. Node-RED takes a reason only from a function with two parameters.
 *
 * @param type the property that stores the type of the value
 */
export const validInput = (type: string, field: InputCheck) =>
  function valid(this: NodeProperties, value: string | undefined, about?: object) {
    const label = translated(field.label);
    const isTyped = !elsewhere.includes(this[type] ?? '');
    // A flow that a program wrote may lack properties.
    if (value === undefined || value === '') {
      if (!field.isRequired && isTyped) return true;
      return about ? t('“__label__” is missing', { label }) : false;
    }
    if (isTyped && !variableName(value) && !isValidText(field, value))
      return about ? t('“__label__” is not valid', { label }) : false;
    return RED.validators.typedInput(type).call(this, value, about);
  };

/** Validates an input as the chosen operation needs it. The others don't use it. */
export const validInputOf = (type: string, fields: Record<string, InputCheck>) =>
  function valid(this: NodeProperties, value: string | undefined, about?: object) {
    // While its dialog is open, the node still has the earlier choice.
    const chosen = edited === this && $('#node-input-operation').val();
    const field = fields[chosen || (this.operation ?? '')];
    return field === undefined || validInput(type, field).call(this, value, about);
  };

/** Sets a new node's account if there is exactly one, apart from those of imported examples that are not filled in. */
export function chooseAccount(node: NodeProperties, accountType: string) {
  const all: string[] = [];
  const valid: string[] = [];
  RED.nodes.eachConfig((config) => {
    if (config.type !== accountType) return;
    all.push(config.id);
    if (config.valid !== false) valid.push(config.id);
  });
  const [only = '', ...others] = valid.length > 0 ? valid : all;
  if (!node.account && others.length === 0) node.account = only;
}

/** Validates the result's message property. */
export function validProperty(this: NodeProperties, value: string | undefined, about?: object) {
  return !value || RED.validators.typedInput({ type: 'msg' }).call(this, value, about);
}

/** Validates the maximum number of records. */
export const validLimit = (value: string) => readLimit(value) !== undefined;

/** Validates the poll interval: empty, or within the range. */
export const validMinutes = (least: number, most: number) => (value: string) => {
  const minutes = Number(value ?? '');
  const isInRange = minutes === 0 || (minutes >= least && minutes <= most);
  return variableName(value ?? '') !== undefined || isInRange;
};

/** Validates a limit: empty, a whole number from 1, or a variable. */
export const validWhole = (value?: string) =>
  /^([1-9]\d*)?$/.test(String(value ?? '').trim()) || variableName(String(value)) !== undefined;

/** Node-RED's name for the colour of a result. */
const testColor = (outcome: TestReport['outcome']) =>
  outcome === 'works'
    ? 'success'
    : ['other-sender', 'untried'].includes(outcome)
      ? 'warning'
      : 'error';

/**
 * Makes the button test the settings in the dialog, deployed or not.
 *
 * @param url the URL of the connection test
 * @param keys the keys of the settings
 */
export function prepareConnectionTest(url: string, keys: string[]) {
  const button = $('#telephony-test-connection');
  const show = (text: string, color = 'error') => {
    $('#telephony-test-result').text(text).css('color', `var(--red-ui-text-color-${color})`);
    button.prop('disabled', false);
  };
  button.on('click', () => {
    const typed = keys.map((key) => [key, $(`#node-config-input-${key}`).val()]);
    show('…', 'warning');
    button.prop('disabled', true);
    $.ajax<TestReport>({
      url,
      method: 'POST',
      contentType: 'application/json',
      data: JSON.stringify(Object.fromEntries(typed)),
    })
      .done(({ outcome, said }) => show(say(said), testColor(outcome)))
      .fail(({ status }) => show(t('Node-RED could not run the test (__status__).', { status })));
  });
}

/** When the last event arrived, of one kind or of all. */
function lastOf({ last }: EventReport, event?: string): string {
  const times = event ? [last[event]] : Object.values(last);
  const latest = times
    .filter((at) => at !== undefined)
    .sort()
    .at(-1);
  return latest
    ? t('Last event: __time__.', { time: timeText(new Date(latest)) })
    : t('No event received yet.');
}

/** The poll interval, the last poll and its error. */
function pollingText({ polling }: EventReport): string | undefined {
  if (!polling) return undefined;
  const minutes = polling.every / 60_000;
  const every =
    minutes === 1
      ? t('Polls every minute.')
      : t('Polls every __minutes__ minutes.', { minutes: minutes.toLocaleString() });
  const last = polling.at && t('Last poll: __time__.', { time: timeText(new Date(polling.at)) });
  return [every, last, polling.problem && say(polling.problem)].filter(Boolean).join(' ');
}

function reportText(report: EventReport, event?: string): string {
  const { refused, problem } = report;
  const refusal = refused && `${timeText(new Date(refused.at))}: ${say(refused.said)}`;
  return [problem && say(problem), pollingText(report), lastOf(report, event), refusal]
    .filter(Boolean)
    .join(' ');
}

/**
 * Shows how much an account has sent and, where everyone sees it, which limits it has reached.
 *
 * @param path the path of how much accounts have sent
 * @param account the id of the configuration node
 * @param shown the ids of the elements that show it
 */
export function prepareUsage(
  path: string,
  account: string,
  shown: { usage: string; reached: string },
) {
  $.getJSON<UsageReport>(`${path.slice(1)}/${account}`).done(({ usage }) => {
    if (!usage) return;
    $(`#${shown.usage}`).text(say(usageSentence(usage)));
    const notice = reachedSentences(usage).map(say).join(' ');
    if (notice) $(`#${shown.reached}`).text(notice).show();
  });
}

type Dialog = 'node' | 'account';

/** Makes the button next to a webhook URL copy it. */
function prepareCopy(dialog: Dialog) {
  const button = $(`#telephony-${dialog}-event-copy`);
  button.on('click', () => {
    const address = $(`#telephony-${dialog}-event-address`).val();
    if (address) RED.clipboard.copyText(address, button, 'clipboard.copyMessageValue');
  });
}

/** The server resolves an environment variable only when the account is deployed. */
function showAddress(dialog: Dialog, publicAddress: string, path: string, deployed = '') {
  const address = variableName(publicAddress)
    ? deployed
    : publicAddress && addressBelow(publicAddress, path);
  const root = String(RED.settings.httpNodeRoot || '').replaceAll(/^\/|\/$/g, '');
  const lacksRoot = root !== '' && address !== '' && !address.includes(`/${root}${path}`);
  $(`#telephony-${dialog}-event-address`).val(address);
  $(`#telephony-${dialog}-event-root`).text(
    lacksRoot
      ? t(
          'This Node-RED receives webhooks below /__root__. Unless a proxy adds that, end the Public URL with it.',
          { root },
        )
      : '',
  );
}

function showReport(
  dialog: Dialog,
  path: string,
  { account, event }: { account: string; event?: string },
  show: (report: EventReport) => void,
) {
  const report = $(`#telephony-${dialog}-event-report`);
  report.text('');
  $.getJSON<EventReport>(`${path.slice(1)}/${account}`).done((loaded) => {
    report.text(reportText(loaded, event));
    show(loaded);
  });
}

/** The path of webhooks below the root of the pages of flows, and the path of their status. */
interface EventPaths {
  eventPath: string;
  reportPath: string;
}

/**
 * Shows the webhook URL and the last event in the dialog of an event node.
 *
 * @param event the id of the event
 */
export function prepareEvent({ eventPath, reportPath }: EventPaths, event: string) {
  const input = $('#node-input-account');
  // The editor triggers a change more than once for one account.
  const deployed = new Map<string, EventReport>();
  const show = () => {
    const account = RED.nodes.node(input.val());
    if (!account) return;
    const { id = '', publicAddress = '' } = account;
    const showAt = (report?: EventReport) =>
      showAddress('node', publicAddress, `${eventPath}/${report?.id ?? id}`, report?.address);
    showAt(deployed.get(id));
    showReport('node', reportPath, { account: id, event }, (report) => {
      deployed.set(id, report);
      showAt(report);
    });
  };
  input.on('change', show);
  show();
  prepareCopy('node');
}

/**
 * Shows the webhook URL in the dialog of an account while the user types the public URL.
 *
 * @param account the id of the configuration node
 */
export function prepareAccountEvents({ eventPath, reportPath }: EventPaths, account: string) {
  const input = $('#node-config-input-publicAddress');
  let deployed: EventReport | undefined;
  const show = () => {
    const path = `${eventPath}/${deployed?.id ?? account}`;
    showAddress('account', input.val(), path, deployed?.address);
  };
  const root = new URL(RED.settings.httpNodeRoot || '/', document.baseURI);
  // The service sends webhooks only to HTTPS.
  if (root.protocol === 'https:') input.attr('placeholder', addressBelow(root.href, ''));
  input.on('input', show);
  show();
  prepareCopy('account');
  showReport('account', reportPath, { account }, (report) => {
    deployed = report;
    show();
  });
}
