import { type Action, countText } from '../../../src/builder.ts';

/** The texts of the editor's script and of node statuses. Values replace `__name__`. */
export const uiTexts = [
  'choose',
  'any',
  'default',
  'Your numbers',
  'Could not load your numbers. __problem__',
  'The account has no numbers for this.',
  'Choose an account first.',
  'Your login may not change flows.',
  'Node-RED did not respond (__status__).',
  'Node-RED could not run the test (__status__).',
  'The service at __host__ accepts the username and the password of the account __account__.',
  'The service at __host__ accepts the username and the password of the account __account__. However, the default sender __sender__ is not a number of this account, so the service may reject its messages.',
  'The service at __host__ accepts the username and the password of the account __account__. However, the default sender __sender__ does not start with a plus sign and a country code, so the service may reject its messages.',
  '“__label__” is missing',
  '“__label__” is not valid',
  '__segments__ SMS, __left__ characters left (__alphabet__)',
  'No event received yet.',
  'Last event: __time__.',
  'Polls every minute.',
  'Polls every __minutes__ minutes.',
  'Last poll: __time__.',
  'Deploy the account first.',
  'To receive events, set “Public URL” or “Poll every” in the account.',
  'This Node-RED receives webhooks below /__root__. Unless a proxy adds that, end the Public URL with it.',
  'preview',
  'progress',
  'result',
  'requesting',
  '__count__ requesting',
  '__count__ record',
  '__count__ records',
  '__count__ record, and more',
  '__count__ records, and more',
  '__count__ sent',
  '__count__ done',
  '__count__ skipped',
  '__count__ failed',
  '__count__ failed: __reason__',
  '__count__ opted out',
  '__count__ unknown',
  '__count__ not run',
  '__count__ waiting',
  '__count__ replied',
  '__count__ received',
  'preview: __counts__',
  '__ended__ of __all__: __counts__',
  'interrupted: __counts__',
  'waiting',
  'last: __time__',
  'last poll: __time__',
  'check the settings',
  'check the fields',
  'wrong username or password',
  'not found',
  'refused by the service',
  'too many requests',
  'limit reached',
  'service unreachable',
  'no response in time',
  'stopped',
  "check the account's log",
  'no event waits for a reply',
  'unexpected response',
  'unexpected error',
] as const;

/** A text of the editor's script or of a status. */
export type UiText = (typeof uiTexts)[number];

/**
 * The text for the count of an outcome. The catalogues also contain the definitions' texts for success.
 *
 * @param word the word for the outcome
 */
export const outcomeText = (action: Action, word: string, count: number): UiText =>
  withPlaceholder(countText(action, word, count)) as UiText;

/** Converts a definition's placeholder to Node-RED's. */
export const withPlaceholder = (text: string): string => text.replace('{count}', '__count__');

/** The values for the placeholders of a text. */
export type TextValues = Record<string, string | number>;

/** Translates a text into the language of the editor or of Node-RED's server. */
export type TranslateUi = (text: UiText, values?: TextValues) => string;
