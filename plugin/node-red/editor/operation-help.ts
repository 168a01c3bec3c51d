import {
  type Field,
  fieldTypes,
  isAction,
  isList,
  type Operation,
  type RecordField,
  type RecordShape,
  recordShape,
  requestOf,
} from '../../../src/builder.ts';
import { messageProperty } from '../node/message-property.ts';
import { isFilter } from '../node/read-input.ts';
import { escapeHtml } from './html.ts';

export const sentences = (...texts: (string | undefined | false)[]) =>
  escapeHtml(texts.filter(Boolean).join(' '));

/** An entry of the list of properties in a node's help. */
export const entry = (name: string, type: string, text: string, isOptional = false) =>
  `<dt${isOptional ? ' class="optional"' : ''}>${escapeHtml(name)} <span class="property-type">${type}</span></dt>
<dd>${text}</dd>`;

/** The list of entries in a node's help. */
export const list = (entries: string[]) =>
  `<dl class="message-properties">\n${entries.join('\n')}\n</dl>`;

const usualValue = ({ default: value }: Field) =>
  value === undefined ? undefined : `Defaults to ${value}.`;

/** What an empty input is. */
function whenEmpty(operation: Operation, field: Field): string | undefined {
  const property = messageProperty(operation, field);
  if (property === undefined) return usualValue(field);
  const account = field.purpose === 'sender' ? ", then to the account's sender" : '';
  return `Defaults to msg.${property}${account}.`;
}

/** @param empty what an empty input is; undefined if it can't be empty, or has no value then */
export const inputEntry = (field: Field, empty = usualValue(field)) => {
  const { label, type, help, options, required } = field;
  return entry(
    label,
    fieldTypes[type].holds === 'integer' ? 'number' : 'string',
    sentences(help, options && `One of ${options.join(', ')}.`, empty),
    !required || empty !== undefined,
  );
};

const stopEntry = entry(
  'stop, reset',
  'boolean',
  'Stops the messages in progress instead of starting one. <code>reset</code> also resets the counts below the node.',
  true,
);

const propertyEntries = (operation: Operation) =>
  operation.fields.flatMap((field) => {
    const property = messageProperty(operation, field);
    if (property === undefined) return [];
    return [entry(property, 'string', `Used if <i>${escapeHtml(field.label)}</i> is empty.`, true)];
  });

const inputs = (operation: Operation) =>
  `<h3>Inputs</h3>
<p>Any message starts the node.</p>
${list([...propertyEntries(operation), stopEntry])}${operation.fields.length > 0 ? `\n${properties(operation)}` : ''}`;

const properties = (operation: Operation) =>
  inputProperties(
    operation.fields.map((field) => inputEntry(field, whenEmpty(operation, field))),
    operation.fields.some((field) => isFilter(operation, field)),
  );

/** The part of a node's help that lists the fields of its dialog. */
export const inputProperties = (entries: string[], canBeAll = false) => `<h3>Properties</h3>
<p>Enter a value, or take it from the message, the context, the environment or an expression. Empty properties are not sent.
If a property that you take from elsewhere has no value, nothing is sent.${canBeAll ? ' <code>*</code> means all.' : ''}</p>
${list(entries)}`;

const recordEntry = ({ key, label, help }: RecordField) =>
  `<li><code>${key}</code>: ${sentences(`${label}.`, help)}</li>`;

/** What a record has, with what is not in it left out. */
export function recordHelp({ fields, media: hasMedia }: RecordShape, keys?: string[]): string {
  const media = hasMedia
    ? '<li><code>media</code>: the URL where a browser can open it, if the account allows it.</li>'
    : '';
  const shown = fields.filter(({ key }) => keys?.includes(key) ?? true);
  return `<p>A record contains:</p>
<ul>${shown.map(recordEntry).join('\n')}${media}</ul>`;
}

function outputs(operation: Operation) {
  const shape = recordShape(operation.result.of);
  const payload = list(
    isList(operation)
      ? [
          entry('payload', 'array', 'the records, newest first'),
          entry('more', 'boolean', 'whether the account has more records'),
          entry(
            'parts',
            'object',
            'with one message per page: its position, for a Join node',
            true,
          ),
        ]
      : [entry('payload', 'object', 'the record')],
  );
  return `<h3>Outputs</h3>
${payload}
${recordHelp(shape)}`;
}

const stopped = (operation: Operation) =>
  isAction(operation)
    ? 'Requests in progress finish, and each message that was not sent is reported with its recipient.'
    : 'The node reports each read that it stopped.';

const details = (operation: Operation) => `<h3>Details</h3>
<p>The node sends <code>${requestOf(operation)}</code> to the service, below the account.</p>
<p>It keeps the other properties of the message. <i>Result to</i> names the property for the result. Errors go to a Catch node:
<code>error.message</code> is a sentence, <code>error.code</code> a stable code, and <code>error.cause</code> contains details such as
<code>serviceCode</code>, <code>requestId</code> and <code>retryAfter</code> in seconds.</p>
<p>A deploy stops the node in the same way as <code>msg.stop</code>. ${stopped(operation)} After a deploy, the reports are in the log as well.</p>${
  isAction(operation)
    ? `
<p>The node never sends twice. If a response gets lost, it checks the account's log. If that does not settle it, <code>error.code</code> is <code>unknown-outcome</code>. ${escapeHtml(operation.ifUnknown)}</p>`
    : ''
}`;

/** The help of an operation's node, in the form that Node-RED's own nodes have. */
export const operationHelp = (operation: Operation): string =>
  [
    `<p>${escapeHtml(operation.description)}</p>`,
    inputs(operation),
    outputs(operation),
    details(operation),
  ].join('\n');
