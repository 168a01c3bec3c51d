import { type FieldChoice, type OfferedChoices, sentence } from '../../../src/builder.ts';
import { unchangedSecret } from '../account/unchanged-secret.ts';
import type { ChoicesRequest } from '../choices/choices-route.ts';
import type { Element, TypedInputType } from './browser.ts';
import { say, t } from './translate.ts';

declare const $: typeof import('./browser.ts').$;
declare const RED: typeof import('./browser.ts').RED;

/** Where the editor loads choices, and the keys of the settings to send. */
export interface ChoicesSource {
  path: string;
  keys: readonly string[];
  secretKeys: readonly string[];
}

/** An account in the editor. */
interface EditedAccount {
  id: string;
  settings: Record<string, string>;
}

type Query = Omit<ChoicesRequest, 'settings'>;

/** The account that a node uses, deployed or not. */
export function editedAccount(id: string, { keys, secretKeys }: ChoicesSource) {
  const account = RED.nodes.node(id);
  if (!account) return undefined;
  const secrets = Object(account.credentials);
  const value = (key: string) =>
    secretKeys.includes(key) ? secrets[key] || unchangedSecret : (account[key] ?? '');
  return { id, settings: Object.fromEntries(keys.map((key) => [key, value(key)])) };
}

/** The account whose dialog is open, with the values in the dialog. */
export function typedAccount(id: string, { keys }: ChoicesSource): EditedAccount {
  const typed = keys.map((key) => [key, $(`#node-config-input-${key}`).val()]);
  return { id, settings: Object.fromEntries(typed) };
}

const request = ({ path }: ChoicesSource, { id, settings }: EditedAccount, query: Query) =>
  new Promise<OfferedChoices>((resolve) => {
    $.ajax<OfferedChoices>({
      ...{ url: `${path}/${id}`, method: 'POST', contentType: 'application/json' },
      data: JSON.stringify({ ...query, settings }),
    })
      .done(resolve)
      .fail(({ status }) =>
        resolve({
          choices: [],
          problem:
            status === 401
              ? t('Your login may not change flows.')
              : t('Node-RED did not respond (__status__).', { status }),
        }),
      );
  });

/** Loads choices once for each state of the account while a dialog is open, again if that fails. */
function reader(source: ChoicesSource, account: () => EditedAccount | undefined, query: Query) {
  const known = new Map<string, Promise<OfferedChoices>>();
  return async (): Promise<OfferedChoices> => {
    const edited = account();
    if (!edited) return { choices: [], problem: t('Choose an account first.') };
    const key = JSON.stringify(edited);
    const loading = known.get(key) ?? request(source, edited, query);
    known.set(key, loading);
    const response = await loading;
    if (response.problem) known.delete(key);
    return response;
  };
}

const option = ({ value, label }: FieldChoice) => ({
  value,
  label: label === value ? value : `${value}  ${label}`,
});

// Search only by digits: a typed sender name must not match a number with that label.
const digits = (text: string) => text.replaceAll(/[^+\d]/g, '');
const isMatch = (text: string, { value }: FieldChoice) =>
  text.trim() === '' || (digits(text) !== '' && value.includes(digits(text)));

/** Labels the button of a choices input. Node-RED's own has only an icon. */
export const nameButton = (input: Element) =>
  input
    .closest('.form-row')
    .find('.red-ui-typedInput-option-expand')
    .attr('title', t('Your numbers'));

/**
 * Creates an input type that offers choices while the user types and with a button. It accepts any other value.
 *
 * @param hint the element that explains why there are no choices
 * @param account returns the account whose numbers to offer
 * @param query what to request
 */
export function choicesType(
  source: ChoicesSource,
  input: Element,
  hint: Element,
  account: () => EditedAccount | undefined,
  query: Query,
): TypedInputType {
  const read = reader(source, account, query);
  const offered = async () => {
    const { choices, problem } = await read();
    const none = choices.length === 0 ? t('The account has no numbers for this.') : '';
    hint.text(
      problem ? say(sentence('Could not load your numbers. {problem}', { problem })) : none,
    );
    return choices;
  };
  const open = async () => {
    const options = (await offered()).map(option);
    if (options.length === 0) return;
    RED.popover
      .menu({
        ...{ options, width: 300, maxHeight: 200, class: 'red-ui-autoComplete-container' },
        onselect: ({ value }) => input.typedInput('value', value),
      })
      .show({ target: input.closest('.form-row').find('.red-ui-typedInput-container') });
  };
  return {
    value: 'str',
    label: RED._('typedInput.type.str'),
    icon: 'red/images/typedInput/az.svg',
    // Node-RED recognises an asynchronous function by its two parameters.
    autoComplete: (text, done) => {
      void offered().then((all) => done(all.filter((one) => isMatch(text, one)).map(option)));
    },
    expand: Object.assign(() => void open(), { icon: 'fa-caret-down' }),
  };
}
