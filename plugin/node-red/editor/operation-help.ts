import {
  type Action,
  type Field,
  fieldTypes,
  isDeletion,
  type RecordField,
  type RecordShape,
  recipientField,
  recordShape,
  requestOf,
} from '../../../src/builder.ts';
import type { Translate } from '../locale/translate.ts';
import { messageProperty } from '../node/message-property.ts';
import { escapeHtml } from './html.ts';

/** Translated and escaped texts. */
export const sentences = (t: Translate, ...texts: (string | undefined | false)[]) =>
  escapeHtml(
    texts
      .filter((text) => typeof text === 'string')
      .map((text) => t(text))
      .join(' '),
  );

/** A heading of a node's help. */
export const heading = (t: Translate, text: string) => `<h3>${t(text)}</h3>`;

/** Paragraphs of a node's help. */
export const paragraphs = (t: Translate, texts: (string | false)[]) =>
  texts
    .filter((text) => text !== false)
    .map((text) => `<p>${t(text)}</p>`)
    .join('\n');

/** An entry of the property list in a node's help. `text` is HTML. */
export const entry = (name: string, type: string, text: string, isOptional = false) =>
  `<dt${isOptional ? ' class="optional"' : ''}>${escapeHtml(name)} <span class="property-type">${type}</span></dt>
<dd>${text}</dd>`;

/** The property list in a node's help. */
export const list = (entries: string[]) =>
  `<dl class="message-properties">\n${entries.join('\n')}\n</dl>`;

const pages = {
  errors: [
    'https://nodered.org/docs/user-guide/handling-errors',
    'Handling errors with Catch nodes',
  ],
  expressions: ['https://docs.jsonata.org/overview.html', 'Expressions in JSONata'],
  variables: ['https://nodered.org/docs/user-guide/environment-variables', 'Environment variables'],
  security: [
    'https://nodered.org/docs/user-guide/runtime/securing-node-red',
    "Securing Node-RED's pages",
  ],
} as const;

/** The links at the end of a node's help. */
export const references = (
  t: Translate,
  names: (keyof typeof pages)[],
) => `${heading(t, 'References')}
<ul>
${names.map((name) => `<li><a href="${pages[name][0]}">${t(pages[name][1])}</a></li>`).join('\n')}
</ul>`;

const usualValue = (t: Translate, { default: value }: Field) =>
  value === undefined ? undefined : t('Defaults to __value__.', { value });

/** The effect of leaving an input empty. */
function whenEmpty(t: Translate, action: Action, field: Field): string | undefined {
  const property = messageProperty(action, field);
  if (property === undefined) return usualValue(t, field);
  return field.purpose === 'sender'
    ? t("Defaults to msg.__property__, then to the account's sender.", { property })
    : t('Defaults to msg.__property__.', { property });
}

/** @param empty the effect of leaving it empty; undefined if it has none or is not allowed */
export const inputEntry = (t: Translate, field: Field, empty = usualValue(t, field)) => {
  const { label, type, help, options, required } = field;
  const texts = [
    help && t(help),
    options && t('One of __options__.', { options: options.join(', ') }),
    type === 'map' &&
      t('In JSONata, an object such as __example__.', { example: '{"1": payload.name}' }),
    empty,
  ];
  return entry(
    t(label),
    fieldTypes[type].holds === 'integer' ? 'number' : 'string',
    escapeHtml(texts.filter(Boolean).join(' ')),
    !required || empty !== undefined,
  );
};

const stopEntry = (t: Translate) =>
  entry(
    'stop, reset',
    'boolean',
    t(
      'Stops the messages in progress instead of starting one. <code>reset</code> also resets the counts below the node.',
    ),
    true,
  );

const propertyEntries = (t: Translate, action: Action) =>
  action.fields.flatMap((field) => {
    const property = messageProperty(action, field);
    if (property === undefined) return [];
    const label = escapeHtml(t(field.label));
    return [entry(property, 'string', t('Used if <i>__label__</i> is empty.', { label }), true)];
  });

/** @param entries the message properties that the node uses */
export const inputs = (t: Translate, entries: string[]) =>
  [
    heading(t, 'Inputs'),
    paragraphs(t, ['Any message starts the node.']),
    list([...entries, stopEntry(t)]),
  ].join('\n');

/** The entry of the message property that receives the result. */
export const resultEntry = (t: Translate) =>
  entry(t('Result to'), 'string', t('The message property that receives the result.'), true);

/**
 * The section of a node's help that lists the fields of its dialog.
 *
 * @param about further paragraphs, translated
 */
export const inputProperties = (t: Translate, entries: string[], about: string[] = []) =>
  [
    heading(t, 'Properties'),
    paragraphs(t, [
      'Enter a value, or take it from the message, the context, the environment or an expression. Empty properties are not sent.',
      'If a property that you take from elsewhere has no value, nothing is sent.',
    ]),
    ...about.map((text) => `<p>${text}</p>`),
    list(entries),
  ].join('\n');

const recordEntry = (t: Translate, { key, label, help }: RecordField) =>
  `<li><code>${key}</code>: ${sentences(t, label)}. ${sentences(t, help)}</li>`;

/**
 * Lists the fields of a record.
 *
 * @param keys the keys to list; defaults to all
 */
export function recordHelp(
  t: Translate,
  { fields, media: hasMedia }: RecordShape,
  keys?: string[],
): string {
  const media = hasMedia
    ? `<li><code>media</code>: ${t('The URL where a browser can open it, if the account allows it.')}</li>`
    : '';
  const shown = fields.filter(({ key }) => keys?.includes(key) ?? true);
  const times =
    shown.some(({ type }) => type === 'date') &&
    'Times are texts in UTC, such as <code>2026-11-20T12:00:00.000Z</code>. In an expression, <code>$toMillis(payload.__key__)</code> is the time in milliseconds.';
  const [{ key = '' } = {}] = shown.filter(({ type }) => type === 'date');
  return `${paragraphs(t, ['A record contains:'])}
<ul>${shown.map((field) => recordEntry(t, field)).join('\n')}${media}</ul>
${times ? `<p>${t(times, { key })}</p>` : ''}`;
}

const outputs = (t: Translate, { result }: Action) =>
  [
    heading(t, 'Outputs'),
    list([entry('payload', 'object', t('the record'))]),
    recordHelp(t, recordShape(result.of)),
  ].join('\n');

const severalRecipients =
  'Several numbers, as a list or divided by commas, each get a message of their own: <code>msg.__property__</code> is its recipient, whose result goes to the output and whose error goes to a Catch node. A number that repeats counts once. <code>msg.parts</code> lets a Join node put them together.';

/** What happens to the message, and to errors. */
export const errorDetails = [
  'It keeps the other properties of the message.',
  'Wire a Catch node for errors. <code>error.message</code> says what happened and what to do. <code>error.code</code> never changes. <code>error.cause</code> has details, such as <code>serviceCode</code>, <code>requestId</code> and <code>retryAfter</code> in seconds; its <code>docs</code> names the page of this package that explains the code.',
];

const details = (
  t: Translate,
  action: Action,
  recipient = action.batch && recipientField(action),
) =>
  [
    heading(t, 'Details'),
    `<p>${t('The node sends <code>__request__</code> to the service, below the account.', { request: requestOf(action) })}</p>`,
    ...(recipient ? [`<p>${t(severalRecipients, { property: recipient.key })}</p>`] : []),
    paragraphs(t, [
      ...errorDetails,
      'A deploy stops the node in the same way as <code>msg.stop</code>. Requests in progress finish, and each message that was not sent is reported with its recipient, in the log as well.',
    ]),
    `<p>${t(
      isDeletion(action)
        ? 'If a response gets lost, the node repeats the request: what is deleted stays deleted. If it gets no response at all, <code>error.code</code> is <code>unknown-outcome</code>.'
        : "The node never sends twice. If a response gets lost, it checks the account's log. If the log does not show the result, <code>error.code</code> is <code>unknown-outcome</code>.",
    )} ${sentences(t, action.ifUnknown)}</p>`,
  ].join('\n');

/** The help of an action's node, in the structure of Node-RED's own nodes. */
export const actionHelp = (action: Action, t: Translate): string =>
  [
    `<p>${sentences(t, action.description)}</p>`,
    inputs(t, propertyEntries(t, action)),
    inputProperties(t, [
      ...action.fields.map((field) => inputEntry(t, field, whenEmpty(t, action, field))),
      resultEntry(t),
    ]),
    outputs(t, action),
    details(t, action),
    references(t, ['errors', 'expressions']),
  ].join('\n');
