/** The texts of the editor's script and of node statuses. Values replace `__name__`. */
export const uiTexts = [
  'choose',
  'any',
  'default',
  'Your numbers',
  'The account has no numbers for this.',
  'Choose an account first.',
  'Your login may not change flows.',
  'Node-RED did not respond (__status__).',
  'Node-RED could not run the test (__status__).',
  '“__label__” is missing',
  '“__label__” is not valid',
  'No event received yet.',
  'Last event: __time__.',
  'Polls every minute.',
  'Polls every __minutes__ minutes.',
  'Last poll: __time__.',
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
  '__count__ failed: __reason__',
  '__count__ replied',
  '__count__ received',
  'preview: __counts__',
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

/** The values for the placeholders of a text. */
export type TextValues = Record<string, string | number>;

/** Translates a text into the language of the editor or of Node-RED's server. */
export type TranslateUi = (text: UiText, values?: TextValues) => string;
